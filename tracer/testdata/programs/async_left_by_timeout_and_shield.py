# tests: wait_for that times out at once, shield, and a coroutine that is cancelled before its first step
import asyncio


async def slow(log):
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        log.append("slow cancelled")
        raise


async def quick():
    return "quick"


async def run(log):
    try:
        await asyncio.wait_for(slow(log), timeout=0.001)
    except asyncio.TimeoutError:
        log.append("timeout")
    never = asyncio.ensure_future(slow(log))
    never.cancel()
    results = await asyncio.gather(never, asyncio.shield(quick()), return_exceptions=True)
    return type(results[0]).__name__, results[1]


def main():
    log = []
    return asyncio.run(run(log)), log

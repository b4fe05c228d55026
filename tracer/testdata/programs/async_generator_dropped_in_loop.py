# tests: an async generator that a break leaves behind is closed by the event loop's hook, in a task of its own
# watched: the moment of its collection moves when a tracer holds its frame
import asyncio


async def numbers(log):
    try:
        yield 1
        yield 2
    finally:
        await asyncio.sleep(0)
        log.append("closed")


async def first(log):
    async for n in numbers(log):
        break
    log.append("left")
    for _ in range(3):
        await asyncio.sleep(0)
    return n


def main():
    log = []
    value = asyncio.run(first(log))
    return value, sorted(log)

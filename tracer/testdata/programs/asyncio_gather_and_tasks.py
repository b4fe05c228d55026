# tests: tasks interleaved by the event loop: gather with an exception kept, a queue, a cancelled task
import asyncio


async def worker(name, turns, log):
    for turn in range(turns):
        log.append(name + str(turn))
        await asyncio.sleep(0)
    if turns == 1:
        raise LookupError(name)
    return name


async def waiter(log):
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        log.append("cancelled")
        raise


async def run(log):
    task = asyncio.ensure_future(waiter(log))
    results = await asyncio.gather(worker("a", 2, log), worker("b", 1, log), return_exceptions=True)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        log.append("seen")
    return results[0], repr(results[1])


def main():
    log = []
    return asyncio.run(run(log)), log

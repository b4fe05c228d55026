# tests: a TaskGroup whose child fails cancels the others and raises an exception group through async with
# nondeterministic: what __aexit__ is given leads to the loop, which holds the address that is its thread's id
# requires: 3.11
import asyncio


async def fails(n):
    await asyncio.sleep(0)
    raise ValueError(n)


async def waits(log):
    try:
        await asyncio.sleep(3600)
    finally:
        log.append("waiter left")


async def run(log):
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(waits(log))
            group.create_task(fails(1))
            log.append("started")
    except* ValueError as problem:
        log.append([e.args for e in problem.exceptions])


def main():
    log = []
    asyncio.run(run(log))
    return log

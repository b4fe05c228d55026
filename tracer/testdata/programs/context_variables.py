# tests: contextvars: Context.run calls back, tokens reset, and each task has its own copy
import asyncio
import contextvars

LEVEL = contextvars.ContextVar("LEVEL", default=0)


def raised(by):
    token = LEVEL.set(LEVEL.get() + by)
    seen = LEVEL.get()
    if by > 5:
        LEVEL.reset(token)
    return seen


async def task(by):
    raised(by)
    await asyncio.sleep(0)
    return LEVEL.get()


async def both():
    return await asyncio.gather(task(1), task(2))


def main():
    context = contextvars.copy_context()
    inside = context.run(raised, 3), context.run(raised, 6)
    return inside, context[LEVEL], LEVEL.get(), asyncio.run(both())

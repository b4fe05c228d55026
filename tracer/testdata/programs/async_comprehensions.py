# tests: async list, dict and generator comprehensions, with await in the element and in the condition
import asyncio


async def numbers(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)


async def even(i):
    return i % 2 == 0


async def collect():
    squares = [i * i async for i in numbers(3)]
    evens = {i: await even(i) for i in range(2)}
    picked = [i async for i in numbers(4) if await even(i)]
    lazy = (i + 1 async for i in numbers(2))
    total = 0
    async for i in lazy:
        total += i
    return squares, evens, picked, total


def main():
    return asyncio.run(collect())

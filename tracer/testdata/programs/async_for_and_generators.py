# tests: async for over an async iterator and an async generator, left by break and closed
import asyncio


class Ticker:
    def __init__(self, to):
        self.now, self.to = 0, to

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.now == self.to:
            raise StopAsyncIteration
        self.now += 1
        return self.now


async def produce(log):
    try:
        for letter in "abc":
            await asyncio.sleep(0)
            yield letter
    finally:
        log.append("closed")


async def consume(log):
    async for n in Ticker(2):
        log.append(n)
    else:
        log.append("else")
    letters = produce(log)
    async for letter in letters:
        if letter == "b":
            break
    await letters.aclose()
    return letter


def main():
    log = []
    return asyncio.run(consume(log)), log

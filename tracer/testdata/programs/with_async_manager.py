# tests: async with: __aenter__ and __aexit__ are coroutines that suspend, one of them swallows
import asyncio


class Channel:
    def __init__(self, log):
        self.log = log

    async def __aenter__(self):
        self.log.append("opening")
        await asyncio.sleep(0)
        self.log.append("open")
        return self

    async def __aexit__(self, kind, value, tb):
        await asyncio.sleep(0)
        self.log.append("closed" if kind is None else kind.__name__)
        return True


async def talk(log):
    async with Channel(log) as c:
        c.log.append("hello")
    async with Channel(log), Channel(log):
        raise LookupError("lost")
    return len(log)


def main():
    log = []
    return asyncio.run(talk(log)), log

class Numbers:
    def __init__(self):
        self.n = 0

    def __aiter__(self):
        return self

    async def __anext__(self):
        self.n += 1
        if self.n > 1:
            raise StopAsyncIteration
        return self.n


async def agen():
    yield "a"


async def work():
    out = []
    async for n in Numbers():
        out.append(n)
    async for s in agen():
        out.append(s)
    return out


def main():
    coroutine = work()
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value

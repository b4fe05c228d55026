class Pause:
    def __await__(self):
        got = yield "paused"
        return got


async def work(n):
    first = await Pause()
    return first + n


async def both():
    a = await work(1)
    b = await work(2)
    return a, b


def main():
    c = both()
    out = [c.send(None), c.send(10)]
    try:
        c.send(20)
    except StopIteration as stop:
        out.append(stop.value)
    return out

async def ticks(n):
    for i in range(n):
        yield i


async def collect():
    return [i async for i in ticks(3)], [await nothing(i) for i in range(2)]


async def nothing(i):
    return -i


def main():
    c = collect()
    try:
        c.send(None)
    except StopIteration as stop:
        return stop.value

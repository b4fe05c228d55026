# tests: coroutines awaited and driven by send without an event loop, with a custom awaitable


class Ask:
    def __init__(self, question):
        self.question = question

    def __await__(self):
        answer = yield self.question
        return answer * 2


async def inner(n):
    first = await Ask("n%d" % n)
    return first + 1


async def outer():
    total = await inner(1)
    total += await inner(2)
    return total


def main():
    c = outer()
    asked = [c.send(None), c.send(10)]
    try:
        c.send(20)
    except StopIteration as stop:
        result = stop.value
    unfinished = outer()
    unfinished.send(None)
    unfinished.close()
    return asked, result

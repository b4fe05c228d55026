# tests: yield from passes values, send() and exceptions through two levels and takes the inner return value


def inner(n):
    got = []
    for i in range(n):
        try:
            got.append((yield i))
        except KeyError:
            got.append("caught inside")
    return got


def outer():
    first = yield from inner(2)
    second = yield from (c for c in "pq")
    third = yield from [first, second]
    return [first, third]


def main():
    g = outer()
    out = [next(g), g.send("s1"), g.throw(KeyError("k"))]
    while True:
        try:
            out.append(next(g))
        except StopIteration as stop:
            return out, stop.value

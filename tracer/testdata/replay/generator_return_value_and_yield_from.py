def inner():
    got = yield 1
    yield got
    return "inner done"


def outer():
    result = yield from inner()
    yield result


def main():
    g = outer()
    seen = [next(g), g.send("sent"), next(g)]
    for rest in g:
        seen.append(rest)
    return seen

def held():
    try:
        yield 1
        yield 2
    finally:
        end = True


def delegating():
    yield from held()


def main():
    first = next(held())
    for x in held():
        break
    g = held()
    next(g)
    g.close()
    d = delegating()
    next(d)
    del d
    return first

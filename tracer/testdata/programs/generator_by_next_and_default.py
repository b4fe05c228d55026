# tests: next() with and without a default, and a StopIteration that the caller catches with its value


def two(label):
    yield label + "-a"
    yield label + "-b"
    return len(label)


def main():
    g = two("xyz")
    first = next(g)
    second = next(g, "none")
    try:
        next(g)
    except StopIteration as stop:
        result = stop.value
    after = next(g, "none")
    return first, second, result, after

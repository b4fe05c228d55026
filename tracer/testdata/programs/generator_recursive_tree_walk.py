# tests: recursive generators, each level a frame of its own, joined by yield from


def walk(node):
    if node is None:
        return
    left, value, right = node
    yield from walk(left)
    yield value
    yield from walk(right)


def main():
    tree = ((None, 1, None), 2, ((None, 3, None), 4, None))
    out = []
    for value in walk(tree):
        out.append(value)
    return out

def first(xs):
    n = 0
    for x in xs:
        n += x
    return n


def second(xs):
    n = 0
    for x in xs:
        n += x
    return n


def main():
    return first([1, 2]) + second([3, 4])

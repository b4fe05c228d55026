# tests: a next at a return: calls in return, yield and raise statements, and frames that end on the caller's line


def inner(n):
    return n + 1


def outer(n):
    return inner(inner(n))


def chain(n):
    return outer(n) if n else inner(n)


def failing(n):
    raise ValueError(outer(n))


def main():
    pair = chain(1), chain(0)
    try:
        return failing(chain(2))
    except ValueError as problem:
        return pair, problem.args

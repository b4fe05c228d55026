# tests: the same line text in several functions and twice in one, where a breakpoint by text means each of them


def double(n):
    m = n + n
    return m


def twice(n):
    m = n + n
    if m > 4:
        n = m
        m = n + n
    return m


def main():
    n = 1
    m = n + n
    first = double(m)
    m = n + n
    second = twice(first)
    return m, first, second

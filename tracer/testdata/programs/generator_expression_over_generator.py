# tests: a generator expression that draws from a generator, itself drawn by another one


def count_up(n):
    i = 0
    while i < n:
        yield i
        i += 1


def main():
    squares = (x * x for x in count_up(5))
    odd = (s + 1 for s in squares if s % 2)
    first = next(odd)
    rest = list(odd)
    pairs = ((a, b) for a in count_up(2) for b in count_up(a + 1))
    return first, rest, tuple(pairs)

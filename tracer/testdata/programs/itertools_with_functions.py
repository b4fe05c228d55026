# tests: itertools that call Python functions: groupby, accumulate, takewhile, starmap, and laziness of islice
import itertools


def parity(n):
    return n % 2


def larger(a, b):
    return a if a > b else b


def small(n):
    return n < 6


def endless():
    n = 0
    while True:
        n += 2
        yield n


def main():
    numbers = [2, 4, 1, 3, 6]
    groups = [(key, list(group)) for key, group in itertools.groupby(numbers, key=parity)]
    highest = list(itertools.accumulate(numbers, larger))
    taken = list(itertools.takewhile(small, endless()))
    third = next(itertools.islice(endless(), 2, None))
    powers = list(itertools.starmap(pow, [(2, 3), (3, 2)]))
    return groups, highest, taken, third, powers

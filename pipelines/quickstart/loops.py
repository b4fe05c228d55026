"""Loops of every kind."""


def total(values):
    """
    >>> total([1, 2, 3])
    6
    >>> total([])
    0
    """
    result = 0
    for value in values:
        result += value
    return result


def collatz(n):
    """Steps until 1 is reached.

    >>> collatz(6)
    8
    >>> collatz(1)
    0
    """
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def first_gap(numbers):
    """The smallest natural number that is missing: a loop with an else.

    >>> first_gap([0, 1, 3])
    2
    >>> first_gap([0, 1, 2])
    3
    """
    for candidate in range(len(numbers)):
        if candidate not in numbers:
            break
    else:
        candidate = len(numbers)
    return candidate


def triangle(height):
    """
    >>> triangle(3)
    ['*', '**', '***']
    >>> triangle(0)
    []
    """
    rows = []
    for width in range(1, height + 1):
        row = ""
        for _ in range(width):
            row += "*"
        rows.append(row)
    return rows


def skip_odd(limit):
    """
    >>> skip_odd(7)
    [0, 2, 4, 6]
    >>> skip_odd(0)
    []
    """
    kept = []
    n = -1
    while True:
        n += 1
        if n >= limit:
            break
        if n % 2:
            continue
        kept.append(n)
    return kept


if __name__ == "__main__":
    print(total(range(5)), collatz(7), triangle(1))

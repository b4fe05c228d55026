"""Generators: run to the end, cut short, delegated to, and sent values."""


def countdown(n):
    """
    >>> list(countdown(3))
    [3, 2, 1]
    >>> sum(countdown(4))
    10
    """
    while n > 0:
        yield n
        n -= 1


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def take(count):
    """An endless generator, cut short.

    >>> take(3)
    [0, 1, 2]
    >>> take(0)
    []
    """
    taken = []
    for n in naturals():
        if len(taken) == count:
            break
        taken.append(n)
    return taken


def in_order(tree):
    """
    >>> list(in_order((None, 1, (None, 2, None))))
    [1, 2]
    >>> list(in_order(((None, "a", None), "b", None)))
    ['a', 'b']
    """
    if tree is not None:
        left, value, right = tree
        yield from in_order(left)
        yield value
        yield from in_order(right)


def averager():
    total = 0
    count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


def averages(values):
    """
    >>> averages([10, 20, 0])
    [10.0, 15.0, 10.0]
    >>> averages([1])
    [1.0]
    """
    running = averager()
    next(running)
    seen = [running.send(value) for value in values]
    running.close()
    return seen


def squares_of_even(limit):
    """A pipeline of generator expressions.

    >>> squares_of_even(7)
    [0, 4, 16, 36]
    >>> squares_of_even(1)
    [0]
    """
    even = (n for n in range(limit) if n % 2 == 0)
    return [n * n for n in even]

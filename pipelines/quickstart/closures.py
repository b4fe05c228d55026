"""Closures, decorators and functions as values."""

import functools


def counter(steps):
    """
    >>> counter([1, 1, 5])
    [1, 2, 7]
    >>> counter([])
    []
    """
    count = 0

    def add(step):
        nonlocal count
        count += step
        return count

    return [add(step) for step in steps]


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        wrapper.log.append((args, result))
        return result

    wrapper.log = []
    return wrapper


@logged
def double(x):
    """
    >>> double(4)
    8
    >>> double("ab")
    'abab'
    """
    return x + x


def repeat(times):
    def decorate(function):
        def wrapper(value):
            for _ in range(times):
                value = function(value)
            return value

        return wrapper

    return decorate


@repeat(3)
def increment(n):
    return n + 1


def compose(*functions):
    def composed(value):
        for function in reversed(functions):
            value = function(value)
        return value

    return composed


def apply_all(value):
    """
    >>> apply_all(3)
    [7, 8]
    >>> apply_all(0)
    [1, 2]
    """
    twice_plus = compose(lambda x: x + 1, lambda x: x * 2)
    plus_twice = compose(lambda x: x * 2, lambda x: x + 1)
    return [twice_plus(value), plus_twice(value)]


@functools.lru_cache(maxsize=None)
def stairs(n):
    """
    >>> stairs(5)
    8
    >>> stairs(0)
    1
    """
    return 1 if n < 2 else stairs(n - 1) + stairs(n - 2)


assert increment(4) == 7
assert increment(0) == 3

"""Functions that call themselves, one another, and remember what they found."""

_MEMO = {}


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def fib(n, memo=None):
    """Memoised by a dict that travels along."""
    if memo is None:
        memo = {}
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def hanoi(n, source="a", target="c", spare="b"):
    if n == 0:
        return []
    before = hanoi(n - 1, source, spare, target)
    after = hanoi(n - 1, spare, target, source)
    return before + [source + target] + after


def partitions(n, largest):
    """Ways to write n as a sum of numbers up to largest; memoised in a module's global."""
    if n == 0:
        return 1
    if n < 0 or largest == 0:
        return 0
    key = (n, largest)
    if key not in _MEMO:
        _MEMO[key] = partitions(n - largest, largest) + partitions(n, largest - 1)
    return _MEMO[key]


assert factorial(4) == 24
assert factorial(0) == 1
assert fib(6) == 8
assert fib(3, {0: 5, 1: 7}) == 19
assert is_even(3) == False  # noqa: E712
assert is_odd(3) is True
assert is_odd(0) is False
assert hanoi(2) == ["ab", "ac", "bc"]
assert hanoi(1, "x", "y", "z") == ["xy"]
assert partitions(4, 4) == 5
assert partitions(3, 1) == 1

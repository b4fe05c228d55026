"""Calls that are cases, and calls that are not.

>>> plain(1, b=[2])
(1, [2])
>>> print(plain(3, 4))
(3, 4)
>>> x = plain(5, 6)
>>> plain(x, 7)
((5, 6), 7)
>>> plain("\\ud800", 0)[1]
0
"""
import asyncio
from itertools import islice

LIMIT = 10


def deco(f):
    return f


@deco
@deco
def plain(a, b=2):
    """First line.

    >>> plain(
    ...     "multi",
    ...     2)
    ('multi', 2)
    """
    return a, b


def gen(n):
    """
    >>> list(gen(3))
    [0, 1, 2]
    >>> gen(4) #doctest: +ELLIPSIS
    <generator object gen at ...>
    >>> sorted(gen(2), key=lambda v: -v)
    [1, 0]
    >>> list(islice(gen(9), 2))
    [0, 1]
    >>> [v for v in gen(5)]
    [0, 1, 2, 3, 4]
    """
    for i in range(n):
        yield i


async def wait(x):
    return x


async def agen(x):
    yield x


class Holder:
    def method(self):
        """
        >>> plain(Holder, LIMIT)[1]
        10
        """


def outer():
    def inner():
        return 1

    return inner()


def again():
    return 1


def again():
    return 2


assert plain(LIMIT) == (10, 2), "with a global"
assert plain("é", "\f") == ("é", "\f")
assert (1, 2) == plain(1)
assert plain(1) == (1, 2)
assert plain(plain(0)[0], len("abc"))
assert not plain is None
assert 3 in plain(3)
for i in range(3):
    assert plain(i)
assert [plain(j) for j in range(2)]
assert (lambda q: plain(q))(1)
assert plain((lambda q: q)(1))
assert plain([k for k in range(LIMIT)])[1] == 2


def test_plain(plain_fixture=None):
    value = 3
    LIMIT = 4
    assert plain(value) == (3, 2)
    assert plain(LIMIT)
    with open("x") as stream:
        assert plain("in with") == ("in with", 2)
    if value:
        assert outer() == 1

    def nested():
        assert plain("nested")


def test_shadow(plain):
    assert plain(99)


async def test_async():
    assert await wait(1) == 1


if __name__ == "__main__":
    number = 3
    print(plain(number))
    print(plain("main"))
    asyncio.run(wait(2))
    wait(3)
    agen(4)
    again()
    for number in range(2):
        plain("loop",
              "over lines")
    assert plain("assert in main") == ("assert in main", 2)

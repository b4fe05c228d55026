"""Methods, and what makes the objects that they are called on."""
import abc
import contextlib
import dataclasses
import enum
import types
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from somewhere import Unknown


class Plain:
    def bare(self, x=1):
        return x

    @staticmethod
    def static(x):
        return x

    @classmethod
    def made(cls, x):
        return cls

    @property
    def attribute(self):
        return 1

    def __private(self):
        return 2

    def __len__(self):
        return 3

    def __call__(self):
        return 4

    class Inner:
        def method(self):
            return 5


class Counter:
    """
    >>> c = Counter(2)
    >>> c.add(3)
    5
    >>> c.add(3)
    8
    >>> Counter(4).add(1)
    5
    >>> c = Counter(unknown)
    >>> c.add(9)
    """

    def __init__(self, start):
        self.n = start

    def add(self, n):
        self.n += n
        return self.n

    def each(self):
        yield self.n

    async def later(self):
        return self.n

    async def stream(self):
        yield self.n


class Child(Counter):
    def twice(self):
        return 2 * self.n


class Required:
    def __init__(self, a, *, b):
        pass

    def never(self):
        pass


class Foreign(Unknown):
    def method(self):
        pass


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        ...

    def half(self):
        return self.area() / 2


class Unit(Shape):
    def area(self):
        return 1


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def lower(self):
        return self.name.lower()


@dataclass
class Defaults:
    a: int = 1
    b: list = field(default_factory=list)

    def total(self):
        return self.a


@dataclasses.dataclass
class Needs:
    a: int
    b: int = 2

    def total(self):
        return self.a


class Pair(NamedTuple):
    left: int
    right: int = 0

    def swap(self):
        return self.right, self.left


@overload
def either(x: int) -> int: ...
@overload
def either(x: str) -> str: ...
def either(x):
    return x


@contextlib.contextmanager
def managed(x):
    yield x


@types.coroutine
def legacy(x):
    yield from ()


def endless():
    n = 0
    while True:
        yield n
        n += 1


def local_class(x):
    class Plain:
        def bare(self):
            return x

    return Plain().bare()


def test_methods(Plain=Plain):
    child = Child(1)
    assert child.twice() == 2
    assert child.add(1) == 2
    needs = Needs(
        7,
        b=8)
    assert needs.total() == 7
    assert sorted([needs.total()]) == [7]
    child = 3
    assert child.twice()
    assert Plain.static(1)


shared = Counter(10)
assert shared.add(1) == 11
assert Plain.static(5) == 5
assert Plain.made(6)
assert Plain().bare(x=7) == 7
assert Plain.bare(Plain(), 8)
assert Unit().half() == 0.5
assert Shape.half(Unit())
assert Plain().attribute == 1
assert Pair(1).swap() == (0, 1)
assert Color.RED.lower() == "red"
assert either(1) == 1

if __name__ == "__main__":
    managed(1)
    legacy(2)
    endless()
    list(endless())
    c = Counter(6)
    c.each()
    print(sum(c.each()))
    c.later()
    c.stream()
    Plain()()

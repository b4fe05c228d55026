"""What is global where: functions, classes, comprehensions, and names that are only spelled alike."""
import os.path as path; import string
import xml
import xml.dom.minidom as dom
from functools import wraps
from math import *
try:
    import not_there_at_all
except ImportError:
    not_there_at_all = None
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections import OrderedDict

LIMIT = 10
x = 1
y, (z, *w) = 2, (3, 4, 5)
first, second = 1, 2; third = 3
__all__ = ["area", "limited"]

if LIMIT > 5:
    def size(v):
        return len(v)
else:
    size = None


def traced(function):
    @wraps(function)
    def inner(*args):
        return function(*args)

    return inner


class Base:
    LIMIT = LIMIT

    def scale(self):
        return self.LIMIT * second


class Meta(type):
    made = []

    def __new__(mcs, name, bases, body):
        made = super().__new__(mcs, name, bases, body)
        mcs.made.append(name)
        return made


class Shape(Base, metaclass=Meta):
    sides: int = third

    def scale(self):
        return super().scale() + self.sides


class Square(Shape):
    pass


class Unrelated:
    pass


def area(r):
    return floor(pi * r * r)


def limited(x):
    return min(x, LIMIT)


def local(LIMIT):
    x = 2
    return [x for x in range(LIMIT)], x


def default(a=LIMIT, *, b: "Unrelated" = third):
    return a + b


def annotated(a: Unrelated) -> "OrderedDict":
    return type(a)


def shapes():
    return Meta.made, Shape().scale()


@traced
def decorated(v):
    return size(v)


def letters():
    return string.digits + path.sep


def package():
    return xml.dom.minidom.__name__


def optional():
    return not_there_at_all is None


def unpacked():
    return y + z, w


def deleted():
    del_me = 1
    del del_me
    return LIMIT


def walrus():
    return [last := n for n in range(3)], last


def writes():
    global x
    x = x + 1
    return x


def by_name(name):
    return globals()[name]


def lambdas():
    return (lambda LIMIT: LIMIT + x)(1)


def ends():
    return CONTINUED

CONTINUED = 1 + \
    2
@traced
def above(v): return v
if __name__ == "__main__":
    area(2)
    limited(20)
    local(2)
    default()
    annotated(Unrelated())
    shapes()
    decorated("abc")
    letters()
    package()
    optional()
    unpacked()
    deleted()
    walrus()
    writes()
    by_name("LIMIT")
    lambdas()
    ends()
    above(1)

"""Statements that change what a function reaches, and those that do not."""
from __future__ import annotations

import functools
import random
import sys
from collections import defaultdict
from typing import Dict, List

sys.setrecursionlimit(900)

TABLE = {"a": 1}
OTHER = {"b": 2}
TABLE.update({"c": 3})
OTHER.update(d=4)
ALIAS = TABLE
ALIAS["e"] = 5

SQUARES: List[int] = []
for n in range(4):
    SQUARES.append(n * n)

COUNTS = defaultdict(int)
total = 0
total += 2
total += len(OTHER)

HANDLERS: Dict[str, object] = {}


def register(name):
    def add(function):
        HANDLERS[name] = function
        return function

    return add


@register("double")
def double(x):
    return 2 * x


@register("triple")
def triple(x):
    return 3 * x


def table(key):
    return TABLE[key]


def handle(name, x):
    return HANDLERS[name](x)


def square(n):
    return SQUARES[n]


def sums():
    return total


def count(word):
    COUNTS[word] += 1
    return dict(COUNTS)


count("warm")
unused = [random.random() for _ in range(3)]


def alone(x):
    total = x
    return [n for n in range(total)]


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


fib(5)
plain_result = alone(3)


@functools.singledispatch
def show(x):
    return "object"


@show.register(int)
def _(x):
    return "int"


@show.register(list)
def _(x):
    return "list of " + show(x[0])


def attribute():
    return attribute.calls


attribute.calls = 7


def setup():
    global READY
    READY = "ready"


setup()


def ready():
    return READY


CONSTANT = 3
LOOKUP = {1: "one", 2: "two"}
first = LOOKUP[1]
print("imported", CONSTANT, LOOKUP.get(2))


def constants(k):
    return CONSTANT, LOOKUP.get(k)


def depth():
    return sys.getrecursionlimit()


def replaced(x):
    return x


replaced = functools.partial(replaced, 11)

if __name__ == "__main__":
    table("c")
    table("e")
    handle("triple", 5)
    square(3)
    sums()
    count("x")
    alone(4)
    fib(6)
    show([1])
    attribute()
    ready()
    constants(2)
    depth()
    replaced()

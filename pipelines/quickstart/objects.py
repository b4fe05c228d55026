"""Classes: inheritance, properties, operators, data classes, context managers."""

from dataclasses import dataclass, field
from typing import List


class Account:
    def __init__(self, balance=0):
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("insufficient funds")
        self.balance -= amount
        return self


class Savings(Account):
    rate = 2

    def withdraw(self, amount):
        return super().withdraw(amount + self.rate)

    @property
    def rounded(self):
        return self.balance // 10 * 10


def spend(balance, amounts):
    """
    >>> spend(100, [30, 20])
    (46, 40, 0)
    >>> spend(10, [5, 50])
    (3, 0, 1)
    """
    account = Savings(balance)
    refused = 0
    for amount in amounts:
        try:
            account.withdraw(amount)
        except ValueError:
            refused += 1
    return account.balance, account.rounded, refused


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)


def walk(steps):
    """
    >>> walk("NNE")
    (1, 2)
    >>> walk("NS")
    (0, 0)
    """
    moves = {"N": Vector(0, 1), "S": Vector(0, -1), "E": Vector(1, 0), "W": Vector(-1, 0)}
    at = Vector(0, 0)
    for step in steps:
        at = at + moves[step]
    return at.x, at.y


@dataclass
class Item:
    name: str
    price: int
    tags: List[str] = field(default_factory=list)


def cheapest(rows):
    """
    >>> cheapest([("tea", 3), ("milk", 1)])
    Item(name='milk', price=1, tags=[])
    >>> cheapest([("tea", 3)]).name
    'tea'
    """
    items = [Item(name, price) for name, price in rows]
    return min(items, key=lambda item: item.price)


class Journal:
    def __init__(self, lines):
        self.lines = lines

    def __enter__(self):
        self.lines.append("enter")
        return self

    def __exit__(self, kind, error, traceback):
        self.lines.append("exit" if kind is None else "exit by " + kind.__name__)
        return kind is ZeroDivisionError


def journal(divisor):
    """A with statement that swallows one kind of exception.

    >>> journal(2)
    ['enter', '5', 'exit']
    >>> journal(0)
    ['enter', 'exit by ZeroDivisionError']
    """
    lines = []
    with Journal(lines) as log:
        log.lines.append(str(10 // divisor))
    return lines

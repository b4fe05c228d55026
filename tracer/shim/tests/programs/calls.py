import re


def deco(f):
    def inner(*args):
        return f(*args) + 1
    return inner


@deco
def fact(n):
    return 1 if n < 2 else n * (fact(n - 1) - 1)


class Point:
    kind = "p"

    def __init__(self, x):
        self.x = x

    @property
    def double(self):
        return self.x * 2

    def __add__(self, other):
        return Point(self.x + other.x)


def main():
    total = fact(3)
    p = Point(1) + Point(2)
    d = p.double
    names = sorted(["bb", "a"], key=lambda s: len(s))
    text = re.sub("a", lambda m: m.group().upper(), "ab")
    return total, d, names, text

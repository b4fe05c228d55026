# tests: named tuples made by call and by class, with methods, defaults, _replace and unpacking
from collections import namedtuple
from typing import NamedTuple

Pair = namedtuple("Pair", "left right")


class Span(NamedTuple):
    start: int
    stop: int = 10

    def width(self):
        return self.stop - self.start

    def split(self, at):
        return self._replace(stop=at), Span(at, self.stop)


class Named(Pair):
    __slots__ = ()

    def __str__(self):
        return "%s|%s" % self


def main():
    span = Span(2)
    low, high = span.split(5)
    start, stop = high
    pair = Pair(left=low, right=(start, stop))
    return span.width(), low, pair, str(Named("a", "b")), pair.right[0], span == (2, 10)

# tests: a loop without an end
# status: timeout
import collections, itertools


def f():
    collections.deque(itertools.count(), 0)

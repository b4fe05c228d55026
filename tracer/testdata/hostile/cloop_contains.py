# tests: looks for what is not there
# status: timeout
import itertools


def f():
    return 1 in itertools.repeat(0)

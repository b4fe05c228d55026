# tests: statements joined by backslashes, in assert, return, if, import and with lines
from functools import \
    reduce


def add(a, b):
    return a \
        + b


def main():
    total = add(1, 2) + \
        add(3,
            4) \
        - 1
    if total > 5 and \
            total < 20:
        total = \
            reduce(add, [total, 1, 2])
    assert total, \
        "no total"
    text = "split \
text"
    return total, \
        text

from functools import reduce
from collections import UserDict


class Loud(UserDict):
    def __missing__(self, key):
        value = key * 2
        return value


def main():
    d = Loud({"a": 1})
    return d["a"], d["zz"], reduce(lambda a, b: a + b, [1, 2, 3])

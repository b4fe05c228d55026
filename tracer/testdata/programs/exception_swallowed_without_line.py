# tests: exceptions swallowed by C code or by a with statement on one line, with no line event after them
from contextlib import suppress


class Absent:
    def __getattr__(self, name):
        raise AttributeError(name)


class Endless:
    def __getitem__(self, index):
        if index == 2:
            raise IndexError(index)
        return index * 10


def last(mapping):
    with suppress(KeyError): return mapping["missing"]


def main():
    found = getattr(Absent(), "colour", "default")
    has = hasattr(Absent(), "size")
    items = list(Endless())
    return found, has, items, last({})

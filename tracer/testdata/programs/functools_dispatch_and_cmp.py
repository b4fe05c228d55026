# tests: singledispatch by type, singledispatchmethod, cmp_to_key, and wraps that keeps the name
import functools


@functools.singledispatch
def describe(value):
    return "thing"


@describe.register
def _(value: int):
    return "int %d" % value


@describe.register(list)
def describe_list(value):
    return "[" + ", ".join(describe(v) for v in value) + "]"


class Printer:
    @functools.singledispatchmethod
    def show(self, value):
        return "?"

    @show.register
    def _(self, value: str):
        return value + "!"


def by_last(a, b):
    return (a[-1] > b[-1]) - (a[-1] < b[-1])


def main():
    words = sorted(["az", "bx", "cy"], key=functools.cmp_to_key(by_last))
    return describe([1, [2, 0.5]]), describe(True), Printer().show("s"), Printer().show(1), words

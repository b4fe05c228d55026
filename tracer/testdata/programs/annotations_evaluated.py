# tests: annotations of arguments, module and class variables call functions when they are evaluated
# note: at the def or class statement up to 3.13, and not before they are asked for from 3.14 on
from typing import get_type_hints


def kind(name):
    return {"n": int, "s": str}[name]


def main():
    def typed(a: kind("n"), b: "int" = 0) -> kind("s"):
        c: kind("nothing evaluates this") = a
        return str(c + b)

    class Record:
        size: kind("n") = 3
        name: kind("s")

    local: int
    hints = get_type_hints(typed)
    return typed(1, 2), sorted(hints), hints["a"] is int, list(get_type_hints(Record)), Record.size

# tests: functions made of changed code objects: another first line, another name, another function's code
import types


def original(n):
    m = n + 1
    return m


def other(n):
    return -n


def main():
    moved = types.FunctionType(original.__code__.replace(co_firstlineno=3, co_name="moved"), globals())
    values = [original(1), moved(2)]
    original.__code__ = other.__code__
    values.append(original(3))
    return values, moved.__code__.co_name

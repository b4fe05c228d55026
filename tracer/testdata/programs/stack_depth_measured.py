# tests: the depth of the stack from the program's own entry on, by inspect and by traceback
# watched: a tracer that is on the stack itself would be counted
import inspect
import traceback


def count():
    depth, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_code.co_name != "main":
        depth, frame = depth + 1, frame.f_back
    return depth


def nested(n):
    return count() if n == 0 else nested(n - 1)


def names():
    return [entry.name for entry in traceback.extract_stack()][-2:]


def main():
    return nested(2), names()

# tests: the depth of the stack from the program's frame on, by inspect and by traceback
# watched: frames of the tracer or of its runner may be on the stack
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
    stack = [entry.name for entry in traceback.extract_stack()]
    return stack[stack.index("main"):]


def main():
    return nested(2), names()

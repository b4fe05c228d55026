# tests: imports inside functions: of modules, of names under other names, of one that is missing, and the fallback


def load(name):
    try:
        return __import__(name)
    except ImportError as problem:
        return type(problem).__name__


def area(sides):
    from math import prod as multiply
    return multiply(sides)


def main():
    import math
    import os.path as paths
    try:
        from math import no_such_name
    except ImportError:
        no_such_name = None
    missing = load("no_such_module_at_all")
    return area([2, 3]), math.floor(2.5), paths.basename("/a/b"), no_such_name, missing

# tests: locals whose values compare equal and yet differ: 1, True, 1.0, -0.0, nan, empty containers, big numbers


def swap(value):
    value = {1: True, 2: 1}.get(value, value)
    return value


def main():
    x = 1
    x = True
    x = 1.0
    x = 0.0
    x = -0.0
    x = float("nan")
    x = float("inf")
    x = 10 ** 30
    x = b""
    x = ""
    x = ()
    x = frozenset()
    x = range(0)
    x = ...
    x = NotImplemented
    x = [1, True, 1.0]
    x = [True, 1.0, 1]
    x = 3 + 0j
    return swap(1), swap(2), x

# tests: sys.settrace(None) inside a function: nothing after it is traced, not even main's return
# watched: it changes the tracing itself
# status: tracer_lost
import sys


def quiet(n):
    sys.settrace(None)
    m = n * 2
    return m


def main():
    first = quiet(1)
    second = first + 1
    return second

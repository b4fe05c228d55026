# tests: takes the tracer away
# status: tracer_lost
# detail: the tracer was not in place
import sys


def f():
    sys.settrace(None)
    return 1

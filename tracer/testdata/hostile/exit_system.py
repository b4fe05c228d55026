# tests: leaves by the way that the interpreter has for it
# status: exited
# detail: SystemExit: x
import sys


def f():
    sys.exit('x')

# tests: takes the recorder off its own frame, by a name that is nowhere in the program
# status: tracer_lost
import sys


def f():
    setattr(sys._getframe(), ''.join(['f_', 'tra', 'ce']), None)
    x = 1
    return x

# tests: gives the functions of the shim other code, through the frames below it
# status: exited or tracer_lost or crashed or unimportable or ok
# varies: which of the functions are reached differs between interpreters
# output: 'replaced'
import sys


def nothing(*args, **kwargs):
    return None


def f():
    frame = sys._getframe().f_back
    while frame is not None:
        for value in list(frame.f_globals.values()):
            try:
                value.__code__ = nothing.__code__
            except BaseException:
                pass
        frame = frame.f_back
    return 'replaced'

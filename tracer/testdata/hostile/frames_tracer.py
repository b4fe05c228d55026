# tests: tracers of its own for the frames of the shim
# status: tracer_lost
import sys


def tracer(frame, event, arg):
    return tracer


def f():
    frame = sys._getframe().f_back
    while frame is not None:
        frame.f_trace = tracer
        frame.f_trace_opcodes = True
        frame = frame.f_back
    return 'set'

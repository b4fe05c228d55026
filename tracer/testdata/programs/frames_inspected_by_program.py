# tests: sys._getframe, f_back, f_lineno and f_locals read by the program itself
# watched: reading frames beside a tracer that reads the same frames
import sys


def where(depth=1):
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno


def peek():
    hidden = sys._getframe(1).f_locals["secret"]
    return hidden


def main():
    secret = "s1"
    here = where()
    up = where(
        depth=0,
    )
    return here, up, peek()

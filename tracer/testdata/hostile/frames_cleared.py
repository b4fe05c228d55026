# tests: clears and jumps in the frames below it
# output: 'left'
import sys


def f():
    frame = sys._getframe().f_back
    while frame is not None:
        for act in (frame.clear, lambda: setattr(frame, 'f_lineno', 1)):
            try:
                act()
            except (RuntimeError, ValueError):
                pass
        frame = frame.f_back
    return 'left'

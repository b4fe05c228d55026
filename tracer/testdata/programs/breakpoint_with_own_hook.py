# tests: breakpoint() calls the hook that the program has set, with its arguments
# watched: a debugger that sets the hook for itself is replaced by the program's
import sys


def hook(*args, **kwargs):
    frame = sys._getframe(1)
    return frame.f_code.co_name, args, kwargs


def main():
    former = sys.breakpointhook
    sys.breakpointhook = hook
    try:
        answer = breakpoint(1, header="h")
    finally:
        sys.breakpointhook = former
    return answer

# tests: the program installs a tracer of its own and removes it at the end
# watched: while its own tracer is in place nothing is recorded
# status: tracer_lost
import sys


def observed(n):
    n += 1
    return n


def main():
    lines = []

    def mine(frame, event, arg):
        if frame.f_code is observed.__code__:
            lines.append(event)
        return mine

    sys.settrace(mine)
    try:
        value = observed(1)
    finally:
        sys.settrace(None)
    return value, lines

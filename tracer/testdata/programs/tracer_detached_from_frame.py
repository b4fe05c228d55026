# tests: a frame takes its own local tracer away and goes on: its lines and its return are not reported
# watched: it changes the tracing itself
# status: tracer_lost
import sys


def hidden(n):
    sys._getframe().f_trace = None
    n += 1
    n *= 2
    return n


def main():
    first = hidden(1)
    second = hidden(first)
    return first + second

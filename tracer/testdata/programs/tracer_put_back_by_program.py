# tests: the program puts its own tracer in place and then the former one back: frames in between are never seen
# watched: main's own lines are recorded throughout, so that the trace looks whole although a call is missing
# status: tracer_lost
import sys


def observed(n):
    n += 1
    return n


def main():
    former = sys.gettrace()
    calls = []
    sys.settrace(lambda frame, event, arg: calls.append(frame.f_code.co_name))
    value = observed(1)
    sys.settrace(former)
    value += observed(value)
    return value, calls

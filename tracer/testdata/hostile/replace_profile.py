# tests: a profiler, which sees every call of the shim
# output: 'profiled'
import sys
calls = []


def profile(frame, event, arg):
    calls.append(event)


def f():
    sys.setprofile(profile)
    sorted([2, 1])
    sys.setprofile(None)
    return 'profiled'

# tests: sys.setprofile in the program counts calls of its own functions, beside the tracer
# watched: a tracer and a profiler are two hooks of one thread
import sys


def leaf(n):
    return abs(n)


def main():
    seen = []

    def profile(frame, event, arg):
        if frame.f_code is leaf.__code__ and event in ("call", "return"):
            seen.append(event)

    sys.setprofile(profile)
    try:
        value = leaf(-3)
    finally:
        sys.setprofile(None)
    return value, seen

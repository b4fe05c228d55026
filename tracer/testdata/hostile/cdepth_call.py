# tests: calls that go through C each time, with a limit of its own
# status: crashed or exception or tracer_lost or memory_limit or event_limit or byte_limit
# varies: interpreters differ in which stack they use
import sys


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + 'x')


def f():
    sys.setrecursionlimit(10**8)
    return Deep().y

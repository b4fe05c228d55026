# tests: finalizers and weak references that wait for the end
# output: 'waiting'
import os, weakref


class Last:
    def __del__(self):
        os._exit(9)


kept = Last()
kept.itself = kept
weakref.finalize(kept, os._exit, 9)


def f():
    return 'waiting'

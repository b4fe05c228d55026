# tests: functions for the end of the interpreter, which has none
# output: 'registered'
import atexit, os, threading


def loop():
    while True:
        pass


def f():
    for _ in range(10):
        atexit.register(loop)
    getattr(threading, '_register_atexit', atexit.register)(loop)
    os.register_at_fork(before=loop, after_in_child=loop)
    return 'registered'

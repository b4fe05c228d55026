# tests: leaves a thread that the interpreter does not know to the next case of its function
# cases: 3
# output: 1
import ctypes
import os


def f():
    threads = len(os.listdir('/proc/self/task'))
    c = ctypes.CDLL(None)
    c.pthread_create(ctypes.byref(ctypes.c_ulong()), None, c.pause, None)
    return threads

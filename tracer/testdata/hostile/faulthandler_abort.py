# tests: aborts
# status: crashed
# detail: SIGABRT
import os


def f():
    os.abort()

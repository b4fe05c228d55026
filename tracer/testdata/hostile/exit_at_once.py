# tests: ends its process as one that has succeeded
# status: exited
# detail: exit status 0
import os


def f():
    os._exit(0)

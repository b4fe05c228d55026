# tests: duplicates every descriptor until there are no more
# status: exception
# detail: Too many open files
import os


def f():
    while True:
        for fd in (0, 1, 2):
            os.dup(fd)

# tests: forks until the kernel refuses
# status: exception
# detail: BlockingIOError
import os


def f():
    while True:
        os.fork()

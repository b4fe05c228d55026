# tests: sys.exit two frames down passes through finally and with, and ends the program
# status: exited
import sys
from contextlib import contextmanager


@contextmanager
def scope(log):
    try:
        yield
    finally:
        log.append("scope left")


def stop_when(n, log):
    if n == 2:
        sys.exit(3)
    log.append(n)


def main():
    log = []
    try:
        for n in range(5):
            with scope(log):
                stop_when(n, log)
    finally:
        log.append("finally")
    return log

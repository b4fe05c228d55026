# tests: children that have ended and are never waited for, until there may be no more
# output: 'full'
import os


def f():
    try:
        while True:
            if os.fork() == 0:
                os._exit(0)
    except OSError:
        return 'full'

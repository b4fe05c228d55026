# tests: a daemon that fills both streams when the program has returned
# output: 'returned'
import os


def f():
    if os.fork() == 0:
        os.setsid()
        while True:
            os.write(1, b'')
            os.write(2, b'')
    return 'returned'

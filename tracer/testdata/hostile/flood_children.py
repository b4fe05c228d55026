# tests: children that write to both streams as fast as they can, while the program waits
# status: output_limit
import os, signal


def f():
    for fd in (1, 2, 1, 2):
        if os.fork() == 0:
            while True:
                os.write(fd, b'x' * 65536)
    while True:
        signal.pause()

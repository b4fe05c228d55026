# tests: files in memory, which no limit of address space counts
# output: []
import os


def f():
    got = []
    for _ in range(10):
        try:
            fd = os.memfd_create('x')
            got.append(os.write(fd, bytes(1 << 20)))
        except OSError:
            pass
    return got

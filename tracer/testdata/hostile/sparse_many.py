# tests: many files of the largest size that take no space, and the space of one
# status: exception
# detail: No space left on device
import os


def f():
    for i in range(200):
        fd = os.open(str(i), os.O_CREAT | os.O_WRONLY)
        os.ftruncate(fd, 1 << 20)
        os.posix_fallocate(fd, 0, 1 << 20)
        os.close(fd)

# tests: the same by writing far behind the end
# status: exception
# detail: File too large
import os


def f():
    fd = os.open('sparse', os.O_CREAT | os.O_WRONLY)
    os.pwrite(fd, b'x', 1 << 42)

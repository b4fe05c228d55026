# tests: maps more than it may have
# status: exception
# detail: Cannot allocate memory
import mmap


def f():
    held = []
    for _ in range(1000):
        held.append(mmap.mmap(-1, 8 << 20))

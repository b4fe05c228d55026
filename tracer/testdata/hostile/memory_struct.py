# tests: the C code of _struct asks for 8 GB
# status: memory_limit
import struct


def f():
    return len(struct.pack('%dx' % (1 << 33)))

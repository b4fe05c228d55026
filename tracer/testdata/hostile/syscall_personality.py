# tests: other rules for its own address space: no randomization, pages at zero, everything executable
# output: []
import ctypes


def f():
    return [hex(flags) for flags in (0x0040000, 0x0100000, 0x0400000, 0x0200000) if ctypes.CDLL(None).personality(ctypes.c_ulong(flags)) >= 0]

# tests: a process in new namespaces, by the newer call whose flags no filter can see
# output: []
import ctypes, os


def f():
    got = []
    for flags in (0x10000000, 0x10000000 | 0x20000, 0x40000000, 0x20000000):
        args = (ctypes.c_uint64 * 11)(flags, 0, 0, 0, 17)
        pid = ctypes.CDLL(None).syscall(435, ctypes.byref(args), ctypes.c_long(88))
        if pid == 0:
            os._exit(0)
        if pid > 0:
            got.append(hex(flags))
    return got

# tests: the same by the older call
# output: []
import ctypes, os


def f():
    got = []
    number = {'x86_64': 56, 'aarch64': 220}[os.uname().machine]
    for flags in (0x10000000, 0x10000000 | 0x20000, 0x40000000, 0x20000000):
        pid = ctypes.CDLL(None).syscall(number, ctypes.c_long(flags | 17), 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        if pid > 0:
            got.append(hex(flags))
    return got

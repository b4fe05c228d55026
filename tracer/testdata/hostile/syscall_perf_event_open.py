# tests: counters of the processor, which tell of others
# output: []
import ctypes, os


def f():
    number = {'x86_64': 298, 'aarch64': 241}[os.uname().machine]
    got = []
    for kind in range(0, 6):
        attributes = (ctypes.c_uint32 * 32)(kind, 128)
        for pid, processor in ((0, -1), (-1, 0), (1, -1)):
            if ctypes.CDLL(None).syscall(number, attributes, ctypes.c_long(pid), ctypes.c_long(processor), ctypes.c_long(-1), 0) >= 0:
                got.append((kind, pid))
    return got

# tests: calls by the numbers of another architecture, which a filter may not know
# status: crashed or ok
# varies: what is refused so may end the process
# output: []
import ctypes, os
X32 = 0x40000000


def f():
    if os.uname().machine != 'x86_64':
        return []
    syscall = ctypes.CDLL(None).syscall
    return [number for number in (39, 165, 272, 321, 425, 56) if syscall(ctypes.c_long(X32 + number), 0, 0, 0, 0, 0) > 0]

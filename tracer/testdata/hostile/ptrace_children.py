# tests: debugs its own children, which are stopped when it ends
# output: 'returned'
import ctypes, os


def f():
    libc = ctypes.CDLL(None)
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            while True:
                os.sched_yield()
        libc.ptrace(0x4206, pid, 0, 0x100000)
        libc.ptrace(0x4207, pid, 0, 0)
    return 'returned'

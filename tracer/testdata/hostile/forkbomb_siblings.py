# tests: children that are the server's (CLONE_PARENT), whom nobody here would wait for
# output: []
import ctypes, os, time
CLONE_PARENT, SIGCHLD = 0x8000, 17


def f():
    clone = {'x86_64': 56, 'aarch64': 220}[os.uname().machine]
    got = []
    for _ in range(4):
        pid = ctypes.CDLL(None).syscall(clone, ctypes.c_long(CLONE_PARENT | SIGCHLD), 0, 0, 0, 0)
        if pid == 0:
            while True:
                os.sched_yield()
        if pid > 0:
            got.append('a sibling')
    return got

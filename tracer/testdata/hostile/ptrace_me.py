# tests: makes the server its debugger, whom each of its stops is reported to
# status: timeout or crashed
# varies: where a profile allows it, it stops; where none does, it stops as well, by the signal
import ctypes, os, signal


def f():
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    os.kill(int(os.readlink('/proc/self')), signal.SIGSTOP)

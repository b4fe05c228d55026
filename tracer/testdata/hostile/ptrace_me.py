# tests: makes the server its debugger, whom each of its stops is reported to
# status: timeout
import ctypes, os, signal


def f():
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    os.kill(int(os.readlink('/proc/self')), signal.SIGSTOP)

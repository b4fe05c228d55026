# tests: stopped children in sessions of their own, which take no other signal
# output: 'returned'
import os, signal


def f():
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            os.kill(int(os.readlink('/proc/self')), signal.SIGSTOP)
    return 'returned'

# tests: daemons by the double fork, in sessions of their own, that live on when the program has returned
# output: 'full'
import os, signal


def spin():
    while True:
        signal.pause()


def f():
    while True:
        try:
            pid = os.fork()
            if pid == 0:
                os.setsid()
                if os.fork() == 0:
                    spin()
                os._exit(0)
            if os.waitpid(pid, 0)[1]:
                return 'full'
        except OSError:
            if pid == 0:
                os._exit(1)
            return 'full'

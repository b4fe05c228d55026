# tests: interpreters that are executed, not only forked
# output: 'full'
import os, sys


def f():
    for _ in range(100):
        try:
            os.posix_spawn(sys.executable, [sys.executable, '-S', '-c', 'while True: pass'], {})
        except OSError:
            return 'full'

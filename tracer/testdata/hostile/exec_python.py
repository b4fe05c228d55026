# tests: becomes another interpreter, which knows nothing of the tracer
# status: exited
# detail: exit status 0
import os, sys


def f():
    os.execve(sys.executable, [sys.executable, '-S', '-c', 'print("other")'], {})

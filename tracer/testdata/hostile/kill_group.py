# tests: kills its own process group, and itself with it
# status: crashed
# detail: SIGKILL
import os, signal


def f():
    os.kill(0, signal.SIGKILL)
    os.sched_yield()

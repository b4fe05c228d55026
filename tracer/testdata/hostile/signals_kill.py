# tests: ends itself as the kernel does, when there is no memory left
# status: crashed
# detail: SIGKILL
import signal


def f():
    signal.raise_signal(signal.SIGKILL)

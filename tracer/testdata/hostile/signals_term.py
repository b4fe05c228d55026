# tests: ends itself as somebody outside would
# status: crashed
# detail: SIGTERM
import signal


def f():
    signal.raise_signal(signal.SIGTERM)

# tests: a timer that ends it
# status: crashed
# detail: SIGALRM
import signal


def f():
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    while True:
        signal.pause()

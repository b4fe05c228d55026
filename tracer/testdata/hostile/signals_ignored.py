# tests: ignores and blocks every signal, and loops in C
# status: timeout
import signal


def f():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    return sum(range(10**11))

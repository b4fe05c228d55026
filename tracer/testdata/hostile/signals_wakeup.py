# tests: the descriptor that the server wakes up by, and the mask and handlers that it has, are not here
# output: []
import signal


def f():
    got = []
    if signal.set_wakeup_fd(-1) != -1:
        got.append('wakeup')
    if signal.pthread_sigmask(signal.SIG_BLOCK, []):
        got.append('mask')
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGALRM):
        if signal.getsignal(number) != signal.SIG_DFL:
            got.append(number)
    return got

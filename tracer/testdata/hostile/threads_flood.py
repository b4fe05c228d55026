# tests: threads, until there may be no more
# status: exception
# detail: can't start new thread
import signal, threading


def wait():
    signal.sigwait([signal.SIGUSR1])


def f():
    while True:
        threading.Thread(target=wait, daemon=True).start()

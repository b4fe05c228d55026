# tests: handlers that raise wherever they run, in the tracer as well
# status: tracer_lost or event_limit or exception or exited or unimportable or timeout or crashed
# varies: where the timer finds the program
import signal


def handler(number, frame):
    raise ValueError


def f():
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    while True:
        try:
            while True:
                pass
        except ValueError:
            pass

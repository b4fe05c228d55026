# tests: handlers for everything, and a timer that calls them all the time
# status: event_limit
import signal


def handler(number, frame):
    pass


def f():
    for number in range(1, 65):
        try:
            signal.signal(number, handler)
        except (OSError, ValueError):
            pass
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    while True:
        pass

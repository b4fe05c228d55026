# tests: timers of every kind, in children that outlive it
# output: 'set'
import os, signal


def f():
    for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(which, 1000, 0.001)
    for _ in range(5):
        if os.fork() == 0:
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
            while True:
                signal.pause()
    return 'set'

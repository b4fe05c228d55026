# tests: children that leave the session and the process group, and ignore every signal that can be
# output: 'full'
import os, signal


def f():
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
                for number in range(1, 65):
                    try:
                        signal.signal(number, signal.SIG_IGN)
                    except (OSError, ValueError):
                        pass
                while True:
                    signal.pause()
        except OSError:
            return 'full'

# tests: signals to the server through a descriptor of it
# output: []
import os, signal


def f():
    got = []
    try:
        fd = os.pidfd_open(1)
        got.append('opened')
        for number in (0, 9, 19):
            signal.pidfd_send_signal(fd, number)
            got.append(number)
    except (AttributeError, OSError):
        pass
    return [number for number in got if number != 'opened']

# tests: marks the file that its input is read from, which every execution might share
# output: 'marked'
# after: []
import fcntl, os


def f():
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK | os.O_APPEND)
    try:
        fcntl.flock(0, fcntl.LOCK_EX)
    except OSError:
        pass
    return 'marked'


def after():
    got = []
    if fcntl.fcntl(0, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_APPEND):
        got.append('flags')
    try:
        fcntl.flock(os.open('/dev/null', os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        got.append('lock')
    return got

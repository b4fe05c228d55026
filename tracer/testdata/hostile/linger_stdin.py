# tests: marks the file that its input is read from, which every execution might share
# output: 'marked'
# after: []
import fcntl, os, signal


def f():
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK | os.O_APPEND)
    fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGUSR1)
    return 'marked'


def after():
    got = []
    if fcntl.fcntl(0, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_APPEND):
        got.append('flags')
    if fcntl.fcntl(0, fcntl.F_GETSIG):
        got.append('signal')
    return got

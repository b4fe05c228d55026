# tests: an abstract unix socket that a daemon holds, by whose name another execution could be found
# output: 'bound'
# after: 'bound'
import os, socket


def f():
    s = socket.socket(socket.AF_UNIX)
    s.bind('\0tracemill')
    s.listen(5)
    if os.fork() == 0:
        os.setsid()
        while True:
            s.accept()
    return 'bound'


def after():
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.connect('\0tracemill')
            return 'connected'
    except OSError:
        pass
    with socket.socket(socket.AF_UNIX) as s:
        s.bind('\0tracemill')
        return 'bound'

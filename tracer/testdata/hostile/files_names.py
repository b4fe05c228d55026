# tests: names that are no text
# output: 'named'
import os


def f():
    for name in (b'\xff\xfe', b'\n', b' ', b'-rf', b'*', b'x' * 255, '\U0001f600'.encode(), b'\x1b[2J', b'..\\', b'%s%n'):
        with open(name, 'w'):
            pass
        os.mkdir(name + b'd' if len(name) < 255 else b'd')
    return 'named'

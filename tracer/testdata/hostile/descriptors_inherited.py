# tests: looks for descriptors that it was not given, and reads from those that it was
# output: []
import os


def f():
    got = []
    exec('''
for fd in range(3, 4096):
    try:
        os.fstat(fd)
        got.append(fd)
    except OSError:
        pass
''', {'os': os, 'got': got})
    for fd in (1, 2):
        try:
            os.set_blocking(fd, False)
            got.append(os.read(fd, 100))
        except OSError:
            pass
    if os.read(0, 100):
        got.append('stdin')
    return got

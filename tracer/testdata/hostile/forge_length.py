# tests: says that it recorded 2**64 bytes
# status: crashed
# detail: wrote to the tracer's channel
import os, sys
FORGE = '''
frame = sys._getframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if type(value).__name__ == 'Writer':
            value._length[0] = (1 << 64) - 1
            os._exit(0)
    frame = frame.f_back
'''


def f():
    exec(FORGE)

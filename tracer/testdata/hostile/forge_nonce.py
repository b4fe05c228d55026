# tests: writes an end record of its own, through the frames below it, with a nonce that it made up
# status: crashed
# detail: forged
import os, sys
FORGE = '''
frame = sys._getframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if type(value).__name__ == 'Writer':
            value._nonce = bytes(16)
            value.end(1, 0, 0, True, 0, ('', ''), '', ())
            os._exit(0)
    frame = frame.f_back
'''


def f():
    exec(FORGE)

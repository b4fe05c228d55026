# tests: takes back all that was recorded, so that its execution looks as if it had never begun
# status: exited
# detail: exit status 70
import os, sys
FORGE = '''
frame = sys._getframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if type(value).__name__ == 'Writer':
            value._length[0] = 0
            os._exit(70)
    frame = frame.f_back
'''


def f():
    exec(FORGE)

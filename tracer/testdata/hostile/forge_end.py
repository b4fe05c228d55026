# tests: writes an end record through the frames below it, with the right nonce and count: what is missing gives it away
# status: tracer_lost
# detail: never seen to end
import os, sys
FORGE = '''
frame, found = sys._getframe(), {}
while frame is not None:
    for value in list(frame.f_locals.values()):
        found[type(value).__name__] = value
    frame = frame.f_back


writer = found['Writer']
writer.end(1, found['Recorder'].count, 0, True, writer.value(('42', False)) + 1, ('', ''), '', ())
os._exit(0)
'''


def f():
    exec(FORGE)

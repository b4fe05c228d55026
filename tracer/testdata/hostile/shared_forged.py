# tests: marks output in the name of the cases that follow, and writes over lengths and traces of those before
# cases: 6
# status: ok or exited or crashed or exception or tracer_lost or timeout or output_limit
# varies: what it does to its own cases is its own affair
# output: 'forged'
import os
import sys


def f():
    exec('''
frame, nonces, memory = sys._getframe(), [], None
while frame is not None:
    nonces = frame.f_locals.get('nonces') or nonces
    setting = frame.f_locals.get('setting')
    memory = getattr(setting, 'memory', None) or memory
    frame = frame.f_back
for nonce in list(nonces) + list(nonces)[::-1]:
    for fd in (1, 2):
        os.write(fd, nonce + b'forged')
if memory is not None:
    for at in range(0, 1 << 16, 8):
        memory[at:at + 8] = b'\\xff' * 7 + b'\\x7f'
for fd in range(240, 256):
    try:
        os.write(fd, b'\\xff' * 4 + bytes(4) + bytes(8 * 3))
    except OSError:
        pass
''', {'os': os, 'sys': sys})
    return 'forged'

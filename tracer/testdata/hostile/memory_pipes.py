# tests: the kernel's memory, in pipes that are full and as large as they can be
# output: 'full'
import fcntl, os
F_SETPIPE_SZ = 1031


def f():
    exec('''
held = []
try:
    while True:
        r, w = os.pipe()
        held.append((r, w))
        try:
            fcntl.fcntl(w, F_SETPIPE_SZ, 1 << 20)
        except OSError:
            pass
        os.set_blocking(w, False)
        try:
            while True:
                os.write(w, bytes(1 << 16))
        except BlockingIOError:
            pass
except OSError:
    pass
''', globals())
    return 'full'

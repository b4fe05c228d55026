# tests: says on every descriptor that its case has ended, again and again, and reads what is meant for the next
# cases: 4
# status: ok or exited or crashed or tracer_lost or timeout
# varies: what it does to its own cases is its own affair
# output: 'said'
import os


def f():
    exec('''
for fd in range(3, 256):
    for text in (b'e', b'b', b'e' * 1000):
        try:
            os.set_blocking(fd, False)
            os.write(fd, text)
        except OSError:
            pass
    try:
        os.read(fd, 1000)
    except OSError:
        pass
''', {'os': os})
    return 'said'

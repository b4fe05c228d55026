# tests: says that its cases have ended, and reads nothing of what they are given, which fills a pipe
# cases: 4200
# status: ok or exited or crashed or tracer_lost or timeout
# varies: what it does to its own cases is its own affair
# output: 'said'
import os


def f():
    exec('''
fds = []
for fd in range(200, 256):
    try:
        os.set_blocking(fd, False)
        fds.append(fd)
    except OSError:
        pass
for _ in range(200000):
    for fd in fds:
        if fd == 251:
            try:
                os.write(fd, b'e')
            except BlockingIOError:
                os.sched_yield()
''', {'os': os})
    return 'said'

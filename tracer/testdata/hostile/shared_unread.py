# tests: says that its cases have ended, and reads nothing of what they are given, which fills a pipe; then it waits
# cases: 4200
# status: exited or timeout
# varies: how much of what it said is taken for one case's
import os, select


def f():
    exec('''
for fd in range(200, 256):
    try:
        if os.readlink('/proc/self/fd/%d' % fd).startswith('pipe:'):
            os.set_blocking(fd, False)
            os.write(fd, b'e' * 8000)
    except OSError:
        pass
select.select([], [], [])
''', {'os': os, 'select': select})

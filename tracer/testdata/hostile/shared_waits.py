# tests: says for each of its cases that the next has begun, as often as a pipe takes it; then it waits
# cases: 900
# status: exited or timeout
# varies: how much of what it said is taken for one case's
import os, select


def f():
    exec('''
for fd in range(200, 256):
    try:
        if os.readlink('/proc/self/fd/%d' % fd).startswith('pipe:'):
            os.set_blocking(fd, False)
            os.write(fd, bytes(8000))
    except OSError:
        pass
select.select([], [], [])
''', {'os': os, 'select': select})

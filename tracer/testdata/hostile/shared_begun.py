# tests: says on every descriptor that its case has begun, without end
# cases: 2
# status: exited or timeout or output_limit
# varies: its streams may be among them
import os


def f():
    exec('''
open_now = []
for fd in range(3, 256):
    try:
        os.set_blocking(fd, False)
        open_now.append(fd)
    except OSError:
        pass
while True:
    for fd in open_now:
        try:
            os.write(fd, b'b' * 100)
        except OSError:
            pass
''', {'os': os})

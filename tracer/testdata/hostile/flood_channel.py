# tests: writes to every descriptor but its two streams, its own and the server's
# output: []
import os


def f():
    got = []
    frame = (1 << 28).to_bytes(4, 'little') + b'R' + b'\xff' * 1000
    for fd in range(3, 1100):
        try:
            os.write(fd, frame)
            got.append(fd)
        except OSError:
            pass
    for pid in ('1', 'self'):
        for fd in range(0, 64):
            try:
                path = '/proc/%s/fd/%d' % (pid, fd)
                if pid == 'self' and fd < 3:
                    continue
                os.write(os.open(path, os.O_WRONLY), frame)
                got.append(path)
            except OSError:
                pass
    return got

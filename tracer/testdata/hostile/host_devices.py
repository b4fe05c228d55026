# tests: devices of the machine, those that are there and those that it would make
# output: []
import os, stat
SAFE = {'/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty', '/dev/ptmx', '/dev/pts/ptmx'}


def f():
    got = []
    for root, _, names in os.walk('/dev'):
        for name in names:
            path = os.path.join(root, name)
            mode = os.lstat(path).st_mode
            if path in SAFE or not (stat.S_ISBLK(mode) or stat.S_ISCHR(mode)):
                continue
            for flags in (os.O_RDONLY, os.O_WRONLY):
                try:
                    os.close(os.open(path, flags | os.O_NONBLOCK))
                    got.append(path)
                except OSError:
                    pass
    for kind, major, minor in ((stat.S_IFBLK, 8, 0), (stat.S_IFBLK, 254, 0), (stat.S_IFCHR, 1, 1), (stat.S_IFCHR, 10, 200)):
        try:
            os.mknod('device', kind | 0o666, os.makedev(major, minor))
            got.append((major, minor))
        except OSError:
            pass
    return got

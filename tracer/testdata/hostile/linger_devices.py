# tests: marks the files of devices, which every execution, or the whole machine, might share
# output: []
# after: []
import os

DEVICES = ['/dev/' + name for name in ('null', 'zero', 'full', 'random', 'urandom', 'tty')]
LONG_AGO = 86400


def f():
    got = []
    for path in DEVICES:
        for act in (lambda: os.utime(path), lambda: os.utime(path, (LONG_AGO, LONG_AGO)), lambda: os.chmod(path, 0o666)):
            try:
                act()
                got.append(path)
            except OSError:
                pass
    with open('/dev/zero', 'rb') as zero, open('/dev/null', 'wb') as null, open('/dev/urandom', 'rb') as noise:
        if zero.read(2) != bytes(2) or null.write(b'x') != 1 or len(noise.read(2)) != 2:
            got.append('they do not work')
    return got


def after():
    return [path for path in DEVICES if int(os.stat(path).st_mtime) == LONG_AGO]

# tests: symbolic links to what is not here, to each other and to the server's view of things
# output: []
import os


def f():
    got = []
    os.symlink('loop', 'loop')
    for i, target in enumerate(('/proc/1/root/etc/shadow', '/proc/1/cwd', '/etc/shadow', '/proc/1/root', '/proc/1/fd/0', 'loop', '/../../..')):
        os.symlink(target, str(i))
        os.symlink(target, '/tmp/link%d' % i)
        for read in (lambda: open(str(i)).read(), lambda: os.listdir(str(i))):
            try:
                if read() and os.path.realpath(str(i)) != '/':
                    got.append(target)
            except OSError:
                pass
    return got

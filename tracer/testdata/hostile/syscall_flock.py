# tests: locks on what all sandboxes share, which need no right to write to it
# output: []
import errno, fcntl, os


def f():
    got = []
    for path in ('/', '/dev/null', '/proc/version', '/tracemill', os.__file__):
        for lock in (fcntl.LOCK_SH, fcntl.LOCK_EX):
            try:
                fcntl.flock(os.open(path, os.O_RDONLY), lock | fcntl.LOCK_NB)
                got.append(path)
            except OSError as e:
                if e.errno != errno.ENOLCK:
                    got.append((path, str(e)))
    return got

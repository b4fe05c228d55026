# tests: being told of what programs in other sandboxes do with the files that all share
# output: []
import fcntl, os, signal


def f():
    got = []
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    for path in ('/', '/dev', '/tracemill', os.path.dirname(os.__file__)):
        try:
            fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS | fcntl.DN_MULTISHOT)
            got.append(('notify', path))
        except OSError:
            pass
    for path in (os.__file__, '/dev/null'):
        for kind in (fcntl.F_RDLCK, fcntl.F_WRLCK):
            try:
                fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, kind)
                got.append(('lease', path))
            except OSError:
                pass
    return got

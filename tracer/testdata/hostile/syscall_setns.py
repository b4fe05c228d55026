# tests: the namespaces of others
# output: []
import ctypes, os


def f():
    libc = ctypes.CDLL(None)
    got = []
    for name in ('mnt', 'net', 'pid', 'user'):
        for pid in ('1', 'self'):
            try:
                fd = os.open('/proc/%s/ns/%s' % (pid, name), os.O_RDONLY)
            except OSError:
                continue
            if libc.setns(fd, 0) == 0:
                got.append(name)
    return got

# tests: environment variables that are not the sandbox's own, in every place where they may be found
# output: []
import ctypes, os
KNOWN = {'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LD_BIND_NOW', 'LOGNAME', 'PATH', 'PWD', 'PYTHONHASHSEED', 'TZ', 'USER'}


def f():
    names = set(os.environ)
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), 'environ')
    i = 0
    while environ[i]:
        names.add(environ[i].decode().partition('=')[0])
        i += 1
    for pid in ('self', '1'):
        try:
            names |= {line.partition('=')[0] for line in open('/proc/%s/environ' % pid).read().split('\0') if line}
        except OSError:
            pass
    return sorted(names - KNOWN)

# tests: other users and groups, and the capabilities of root
# output: []
import ctypes, os


def f():
    got = []
    for name, args in (('setuid', (0,)), ('setgid', (0,)), ('setresuid', (0, 0, 0)), ('setresgid', (0, 0, 0)), ('setreuid', (0, 0)), ('setgroups', ([0],)),
                       ('setegid', (0,)), ('seteuid', (0,)), ('setuid', (65534,)), ('initgroups', ('root', 0))):
        try:
            getattr(os, name)(*args)
            got.append((name, args))
        except OSError:
            pass
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    wanted = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    if ctypes.CDLL(None).capset(header, wanted) == 0:
        got.append('capset')
    return got

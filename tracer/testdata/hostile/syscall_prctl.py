# tests: settings of its own process that keep hold of others, or undo what was taken away
# output: []
import ctypes


def f():
    prctl = ctypes.CDLL(None).prctl
    got = []
    for name, args in (('PR_SET_CHILD_SUBREAPER', (36, 1)), ('PR_SET_KEEPCAPS', (8, 1)), ('PR_CAPBSET_DROP', (24, 21)), ('PR_CAP_AMBIENT raise', (47, 2, 7)),
                       ('PR_SET_SECUREBITS', (28, 1)), ('PR_SET_MM', (35, 1, 4096)), ('PR_SET_PTRACER', (0x59616d61, -1)), ('PR_SET_NO_NEW_PRIVS off', (38, 0))):
        if prctl(*(ctypes.c_long(arg) for arg in args), ctypes.c_long(0), ctypes.c_long(0)) == 0:
            got.append(name)
    return got

# tests: the kernel's keyrings, which outlive processes and are shared by a user's
# output: []
import ctypes, os
X86, ARM = dict(add_key=248, request_key=249, keyctl=250), dict(add_key=217, request_key=218, keyctl=219)


def f():
    numbers = X86 if os.uname().machine == 'x86_64' else ARM
    syscall = ctypes.CDLL(None).syscall
    got = []
    for name, args in (('add_key', (b'user', b'mark', b'x', 1, -4)), ('add_key', (b'keyring', b'mark', 0, 0, -4)), ('request_key', (b'user', b'mark', 0, -4)),
                       ('keyctl', (0, -3, 1)), ('keyctl', (1, 0)), ('keyctl', (6, -4))):
        if syscall(numbers[name], *(ctypes.c_long(arg) if type(arg) is int else arg for arg in args)) >= 0:
            got.append((name, args))
    return got

# tests: page faults that it answers itself, which make races of the kernel's easy to win
# output: []
import ctypes, os


def f():
    number = {'x86_64': 323, 'aarch64': 282}[os.uname().machine]
    return [flags for flags in (0, 1, 0o2000000) if ctypes.CDLL(None).syscall(number, flags) >= 0]

# tests: programs for the kernel
# output: []
import ctypes, os


def f():
    number = {'x86_64': 321, 'aarch64': 280}[os.uname().machine]
    attributes = (ctypes.c_uint32 * 32)(2, 4, 4, 1)
    return [command for command in range(0, 20) if ctypes.CDLL(None).syscall(number, command, attributes, 128) >= 0]

# tests: attaches to the server, reads its memory and writes to it
# output: []
import ctypes, os
ATTACH, SEIZE, PEEK = 16, 0x4206, 1


def f():
    libc = ctypes.CDLL(None)
    got = []
    for request in (ATTACH, SEIZE, PEEK):
        if libc.ptrace(request, 1, 0, 0) == 0:
            got.append(request)
    local = ctypes.create_string_buffer(64)
    vector = (ctypes.c_uint64 * 2)(ctypes.addressof(local), 64)
    other = (ctypes.c_uint64 * 2)(0x400000, 64)
    for name in ('process_vm_readv', 'process_vm_writev'):
        if getattr(libc, name)(1, vector, 1, other, 1, 0) > 0:
            got.append(name)
    return got

# tests: system calls by a queue, past every filter
# output: []
import ctypes
EFAULT, EINVAL = 14, 22


def f():
    libc = ctypes.CDLL(None, use_errno=True)
    parameters = (ctypes.c_uint32 * 64)()
    got = []
    if libc.syscall(425, 4, parameters) >= 0:
        got.append('io_uring_setup')
    libc.syscall(425, 4, 0)
    if ctypes.get_errno() in (EFAULT, EINVAL):
        got.append('io_uring_setup reaches the kernel')
    return got

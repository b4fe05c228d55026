# tests: large pages, which the machine has few of and no limit of memory counts
# output: []
import ctypes
MAP_PRIVATE, MAP_ANONYMOUS, MAP_HUGETLB = 2, 0x20, 0x40000
EPERM = 1


def f():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    got = []
    for size in (0, 21 << 26, 30 << 26):
        libc.mmap(None, ctypes.c_size_t(1 << 21), 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | size, -1, 0)
        if ctypes.get_errno() != EPERM:
            got.append(size)
    return got

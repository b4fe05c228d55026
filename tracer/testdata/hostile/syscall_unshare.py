# tests: namespaces of its own, where it would be root
# output: []
import ctypes
FLAGS = dict(user=0x10000000, mount=0x20000, pid=0x20000000, net=0x40000000, ipc=0x8000000, uts=0x4000000, cgroup=0x2000000, time=0x80)


def f():
    libc = ctypes.CDLL(None)
    return [name for name, flag in FLAGS.items() if libc.unshare(flag | FLAGS['user']) == 0 or libc.unshare(flag) == 0]

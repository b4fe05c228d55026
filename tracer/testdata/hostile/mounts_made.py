# tests: the system calls that change what is mounted
# output: []
import ctypes, os
X86, ARM = dict(mount=165, umount2=166, pivot_root=155, chroot=161), dict(mount=40, umount2=39, pivot_root=41, chroot=51)
NEW = dict(open_tree=428, move_mount=429, fsopen=430, fsmount=432, fspick=433, mount_setattr=442)


def f():
    syscall = ctypes.CDLL(None).syscall
    os.makedirs('m/n')
    got = []
    for name, number in dict(X86 if os.uname().machine == 'x86_64' else ARM, **NEW).items():
        for args in ((b'none', b'm', b'tmpfs', 0, 0), (b'/', b'm', 0, 4096, 0), (b'/tmp', 2), (b'm', b'm/n'), (-100, b'/', 1), (b'tmpfs', 0), (b'm',)):
            if syscall(number, *(ctypes.c_long(arg) if type(arg) is int else arg for arg in args)) >= 0:
                got.append((name, args))
    return got

# tests: what only an administrator may: modules, reboot, clocks, names, swap, quotas, accounting, ports, handles, other processes' memory
# output: []
import ctypes, os
X86 = dict(init_module=175, finit_module=313, delete_module=176, kexec_load=246, reboot=169, settimeofday=164, clock_settime=227, sethostname=170, setdomainname=171,
           swapon=167, swapoff=168, quotactl=179, acct=163, syslog=103, iopl=172, ioperm=173, open_by_handle_at=304, fanotify_init=300, lookup_dcookie=212,
           move_pages=279, migrate_pages=256, modify_ldt=154, vhangup=153, nfsservctl=180, seccomp=317, kcmp=312, process_madvise=440, pidfd_getfd=438)


ARM = dict(init_module=105, finit_module=273, delete_module=106, kexec_load=104, reboot=142, settimeofday=170, clock_settime=112, sethostname=161, setdomainname=162,
           swapon=224, swapoff=225, quotactl=60, acct=89, syslog=116, open_by_handle_at=265, fanotify_init=262, lookup_dcookie=18, move_pages=239, migrate_pages=238,
           vhangup=58, nfsservctl=42, seccomp=277, kcmp=272, process_madvise=440, pidfd_getfd=438)


def f():
    got = []
    buffer = ctypes.create_string_buffer(b'x' * 64)
    for name, number in (X86 if os.uname().machine == 'x86_64' else ARM).items():
        for args in ((0, 0, 0, 0, 0), (1, buffer, 1, 0, 0), (3, buffer, 64, 0, 0)):
            if name == 'reboot' and args[0] == 0:
                args = (0xfee1dead, 672274793, 0, 0, 0)  # CAD off: harmless if it were allowed
            if name == 'migrate_pages' and args[0] == 0 or name == 'move_pages' and args[0] == 0:
                continue
            if ctypes.CDLL(None).syscall(number, *(ctypes.c_long(arg) if type(arg) is int else arg for arg in args)) > 0 or (
                    name in ('acct', 'sethostname', 'iopl', 'reboot', 'swapon') and ctypes.CDLL(None).syscall(number, *(
                        ctypes.c_long(arg) if type(arg) is int else arg for arg in args)) == 0):
                got.append((name, args[0]))
    return got

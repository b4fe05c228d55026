# tests: what /proc and /sys say of the kernel's secrets, and let be changed
# output: []
import os


def f():
    got = []
    for path in ('/proc/kcore', '/proc/keys', '/proc/kmsg', '/proc/sched_debug', '/proc/timer_list', '/proc/latency_stats', '/proc/kpagecount',
                 '/sys/kernel/security/lsm', '/sys/kernel/debug', '/sys/firmware/dmi/tables/DMI', '/dev/mem', '/dev/kmsg', '/dev/port',
                 '/proc/acpi', '/sys/kernel/tracing', '/sys/fs/bpf', '/proc/1/root/etc/shadow'):
        for read in (lambda: open(path, 'rb').read(1), lambda: os.listdir(path)):
            try:
                if read():
                    got.append(path)
            except OSError:
                pass
    for path in ('/proc/sysrq-trigger', '/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sys/vm/drop_caches', '/proc/sys/kernel/pid_max',
                 '/proc/sys/net/ipv4/ip_forward', '/proc/sys/fs/binfmt_misc/register', '/sys/kernel/uevent_helper', '/sys/fs/cgroup/cgroup.procs',
                 '/sys/fs/cgroup/memory/memory.limit_in_bytes', '/sys/fs/cgroup/pids/pids.max', '/proc/irq/default_smp_affinity'):
        try:
            os.close(os.open(path, os.O_WRONLY))
            got.append(path)
        except OSError:
            pass
    try:
        got += [address for address in open('/proc/kallsyms').read(1600).split()[::3] if address.strip('0')][:1]
    except OSError:
        pass
    return got

"""Say what can be seen and done inside a sandbox, as PID 1 and as its child."""
import ctypes
import json
import os
import resource
import signal
import socket
import stat
import struct
import sys


def status():
    with open("/proc/self/status") as f:
        return {k: v.strip() for k, _, v in (line.partition(":") for line in f)}


def first(*paths):
    for path in paths:
        try:
            with open(path) as f:
                return f.read().strip()
        except OSError:
            pass
    return ""


def connect():
    try:
        socket.create_connection(("1.1.1.1", 53), 5)
    except OSError as e:
        return e.strerror
    return "connected"


def writable():
    """Every directory, and every regular file or device that is not a plain sink, that this process may write to."""
    found = []
    for top, dirs, files in os.walk("/"):
        if top in ("/proc", "/sys"):
            dirs[:] = []
        for path in [top] + [os.path.join(top, f) for f in files]:
            if os.access(path, os.W_OK) and not os.path.islink(path) and not sink(path):
                found.append(path)
    return sorted(found)


def sink(path):
    """Character devices of every container, such as /dev/null, keep nothing."""
    return stat.S_ISCHR(os.stat(path).st_mode)


def root_writes():
    found = []
    for path in ("/", "/tmp", "/etc", "/dev/shm", "/tracemill", "/usr", "/proc/sys/kernel"):
        try:
            with open(os.path.join(path, "probe"), "w"):
                found.append(path)
        except OSError:
            pass
    return found


def interfaces():
    with open("/proc/net/dev") as f:
        return sorted(line.partition(":")[0].strip() for line in f if ":" in line)


def sysv():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.shmget(0, 4096, 0o1666) >= 0:
        return "made"
    return os.strerror(ctypes.get_errno())


def reached():
    """What this process can see or change of PID 1."""
    tries = {
        "memory": lambda: open("/proc/1/mem", "rb"),
        "memory map": lambda: open("/proc/1/maps").read(),
        "environment": lambda: open("/proc/1/environ").read(),
        "descriptor": lambda: os.open("/proc/1/fd/1", os.O_WRONLY),
        "root": lambda: os.listdir("/proc/1/root"),
        "name": lambda: open("/proc/1/comm", "w").write("x"),
        "memory score": lambda: open("/proc/1/oom_score_adj", "w").write("1000"),
        "limits": lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (8, 8)),
        "priority": lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        "processors": lambda: os.sched_setaffinity(1, {0}),
        "policy": lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
    }
    found = []
    for name, attempt in tries.items():
        try:
            attempt()
            found.append(name)
        except OSError:
            pass
    return found


def child():
    """Become nobody, where there is another user to become, report, and wait to be killed."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        if os.getuid() == 0:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        with open("/tmp/mine", "w") as f:
            f.write("x")
        os.unlink("/tmp/mine")
        report = {"status": status(), "writable": writable(), "sysv": sysv(), "reached": reached()}
        os.write(w, json.dumps(report).encode())
        os.close(w)
        signal.pause()
    os.close(w)
    with os.fdopen(r) as f:
        report = json.loads(f.read())
    os.kill(pid, signal.SIGKILL)
    report["killed"] = os.waitpid(pid, 0)[1] == signal.SIGKILL
    return report


mounts = {}
with open("/proc/self/mounts") as f:
    for line in f:
        where, options = line.split()[1], line.split()[3]
        mounts[where] = options

reported = child()
facts = {
    "Status": status(),
    "Child": reported["status"],
    "PID": os.getpid(),
    "Env": dict(os.environ),
    "Interfaces": interfaces(),
    "Connect": connect(),
    "Hostname": socket.gethostname(),
    "Writable": reported["writable"],
    "RootWrites": root_writes(),
    "Files": {f: oct(os.stat("/tracemill/" + f).st_mode & 0o777) for f in os.listdir("/tracemill")},
    "PIDs": first("/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"),
    "Memory": first("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"),
    "Limits": {
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "nofile": resource.getrlimit(resource.RLIMIT_NOFILE),
    },
    "Mounts": mounts,
    "SysV": reported["sysv"],
    "SysVMax": first("/proc/sys/kernel/shmmni"),
    "Reached": reported["reached"],
    "Killed": reported["killed"],
    "UIDMap": first("/proc/self/uid_map"),
}
text = json.dumps(facts).encode()
sys.stdout.buffer.write(struct.pack("<I", len(text)) + text)

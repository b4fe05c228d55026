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


def sysv():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.shmget(0, 4096, 0o1666) >= 0:
        return "made"
    return os.strerror(ctypes.get_errno())


def child():
    """Become nobody, report, and wait to be killed."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
        with open("/tmp/mine", "w") as f:
            f.write("x")
        os.unlink("/tmp/mine")
        report = {"status": status(), "writable": writable(), "sysv": sysv()}
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
    "Interfaces": sorted(os.listdir("/sys/class/net")),
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
    "Killed": reported["killed"],
    "UIDMap": first("/proc/self/uid_map"),
}
text = json.dumps(facts).encode()
sys.stdout.buffer.write(struct.pack("<I", len(text)) + text)

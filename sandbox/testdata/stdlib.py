"""Use what the standard library has of the operating system, and say what failed: {name: exception}."""
import asyncio
import concurrent.futures
import ctypes
import faulthandler
import fcntl
import glob
import hashlib
import json
import mmap
import os
import pathlib
import queue
import random
import resource
import select
import selectors
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time

CHECKS = []


def check(f):
    CHECKS.append(f)
    return f


def expect(got, want):
    if got != want:
        raise AssertionError("%r, not %r" % (got, want))


@check
def threads():
    out = queue.Queue()
    many = [threading.Thread(target=lambda i=i: out.put(i * i), name="worker %d" % i) for i in range(8)]
    for t in many:
        t.start()
    for t in many:
        t.join()
    expect(sorted(out.get() for _ in many), [i * i for i in range(8)])
    barrier, event = threading.Barrier(2, timeout=20), threading.Event()
    t = threading.Thread(target=lambda: (barrier.wait(), event.set()))
    t.start()
    barrier.wait()
    expect(event.wait(20), True)
    t.join()
    threading.get_native_id()


@check
def executor():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        expect(list(pool.map(lambda x: x + 1, range(20))), list(range(1, 21)))


@check
def asyncio_loop():
    async def echo(reader, writer):
        writer.write(await reader.readline())
        await writer.drain()
        writer.close()

    async def both():
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()[:2]
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(b"hello\n")
        line = await asyncio.wait_for(reader.readline(), 20)
        writer.close()
        server.close()
        inner = await asyncio.get_running_loop().run_in_executor(None, lambda: 7)
        await asyncio.sleep(0.001)
        return line, inner

    expect(asyncio.run(both()), (b"hello\n", 7))


@check
def asyncio_signal():
    async def wait():
        got = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, got.set)
        os.kill(os.getpid(), signal.SIGUSR1)
        await asyncio.wait_for(got.wait(), 20)

    asyncio.run(wait())


@check
def processes():
    expect(subprocess.run([sys.executable, "-I", "-S", "-c", "print(6 * 7)"], stdout=subprocess.PIPE, timeout=60).stdout, b"42\n")
    pid = os.fork()
    if pid == 0:
        os._exit(3)
    expect(os.WEXITSTATUS(os.waitpid(pid, 0)[1]), 3)
    expect(os.waitstatus_to_exitcode(os.wait4(os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", "pass"], {}), 0)[1])
           if hasattr(os, "waitstatus_to_exitcode") else 0, 0)


@check
def asyncio_processes():
    async def one():
        p = await asyncio.create_subprocess_exec(sys.executable, "-I", "-S", "-c", "print('x')", stdout=asyncio.subprocess.PIPE)
        return (await p.communicate())[0]

    expect(asyncio.run(one()), b"x\n")


@check
def files():
    with tempfile.TemporaryDirectory() as top:
        a = pathlib.Path(top, "a")
        a.write_text("text")
        shutil.copy2(a, pathlib.Path(top, "b"))
        shutil.copytree(top, os.path.join(top, "tree"), ignore=shutil.ignore_patterns("tree"))
        os.symlink("a", os.path.join(top, "link"))
        os.link(a, os.path.join(top, "hard"))
        os.mkfifo(os.path.join(top, "fifo"))
        os.rename(a, os.path.join(top, "c"))
        os.chmod(os.path.join(top, "c"), 0o600)
        os.utime(os.path.join(top, "c"), (1, 2))
        os.truncate(os.path.join(top, "c"), 2)
        expect(stat.S_IMODE(os.stat(os.path.join(top, "c")).st_mode), 0o600)
        expect(sorted(os.path.basename(p) for p in glob.glob(top + "/*")), ["b", "c", "fifo", "hard", "link", "tree"])
        expect(os.readlink(os.path.join(top, "link")), "a")
        os.statvfs(top)
        shutil.disk_usage(top)
        expect(os.access(top, os.W_OK), True)
        expect(sum(len(f) for _, _, f in os.walk(top)), 7)
        shutil.make_archive(os.path.join(top, "packed"), "zip", os.path.join(top, "tree"))
    with tempfile.TemporaryFile() as f, tempfile.NamedTemporaryFile() as g, tempfile.SpooledTemporaryFile(1) as h:
        for x in (f, g, h):
            x.write(b"abc")
            x.seek(0)
            expect(x.read(), b"abc")
        fcntl.lockf(f, fcntl.LOCK_EX)
        fcntl.lockf(f, fcntl.LOCK_UN)
        os.fsync(f.fileno())
        os.posix_fallocate(f.fileno(), 0, 4096)
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)
        os.sendfile(g.fileno(), f.fileno(), 0, 3)
        os.preadv(f.fileno(), [bytearray(3)], 0)
        os.set_inheritable(f.fileno(), True)
        expect(os.isatty(f.fileno()), False)
        expect(os.get_inheritable(os.dup(f.fileno())), False)


@check
def attributes():
    with tempfile.NamedTemporaryFile() as f:
        expect(os.listxattr(f.name), [])
        try:
            os.setxattr(f.name, "user.x", b"1")
        except OSError as e:
            expect(e.errno, 95)


@check
def locks():
    with tempfile.NamedTemporaryFile() as f:
        try:
            fcntl.flock(f, fcntl.LOCK_SH)
        except OSError as e:
            expect(e.errno, 37)
        else:
            raise AssertionError("locked")


@check
def memory():
    m = mmap.mmap(-1, 8192)
    m[:3] = b"abc"
    m.flush()
    m.resize(16384)
    expect(m[:3], b"abc")
    m.close()
    with tempfile.TemporaryFile() as f:
        f.write(b"x" * 4096)
        f.flush()
        with mmap.mmap(f.fileno(), 0) as m:
            expect(m.find(b"x"), 0)
            if hasattr(m, "madvise"):
                m.madvise(mmap.MADV_DONTNEED)


@check
def waiting():
    r, w = os.pipe()
    for kind in (select.poll, select.epoll):
        p = kind()
        p.register(r, select.POLLIN)
        p.poll(0)
    os.write(w, b"x")
    expect(select.select([r], [], [], 20)[0], [r])
    with selectors.DefaultSelector() as s:
        s.register(r, selectors.EVENT_READ)
        expect(len(s.select(20)), 1)
    os.set_blocking(r, False)
    os.close(r)
    os.close(w)
    if hasattr(os, "eventfd"):
        fd = os.eventfd(1)
        expect(os.eventfd_read(fd), 1)
        os.close(fd)
    if hasattr(os, "timerfd_create"):
        fd = os.timerfd_create(time.CLOCK_MONOTONIC)
        os.timerfd_settime(fd, initial=0.001)
        os.read(fd, 8)
        os.close(fd)


@check
def signals():
    got = []
    signal.signal(signal.SIGUSR2, lambda *a: got.append(a[0]))
    signal.raise_signal(signal.SIGUSR2)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR2)
    expect(got, [signal.SIGUSR2] * 2)
    signal.signal(signal.SIGALRM, lambda *a: got.append(a[0]))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while len(got) < 3:
        signal.pause()
    signal.alarm(0)
    old = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    os.kill(os.getpid(), signal.SIGUSR2)
    expect(signal.sigpending(), {signal.SIGUSR2})
    expect(signal.sigtimedwait([signal.SIGUSR2], 20).si_signo, signal.SIGUSR2)
    signal.pthread_sigmask(signal.SIG_SETMASK, old)
    with open("/dev/null", "w") as f:
        faulthandler.enable(f)
        faulthandler.dump_traceback(f)
        faulthandler.disable()


@check
def sockets():
    a, b = socket.socketpair()
    a.sendall(b"hi")
    expect(b.recv(2), b"hi")
    a.close()
    b.close()
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            server = socket.create_server((host, 0), family=family)
        except OSError as e:
            if e.errno != 99:  # no such address: the kernel has no IPv6
                raise
            continue
        with server, socket.create_connection(server.getsockname()[:2], 20) as c, server.accept()[0] as s:
            c.sendmsg([b"x", b"y"])
            expect(s.recv(2), b"xy")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as u:
        u.bind(("127.0.0.1", 0))
        u.sendto(b"z", u.getsockname())
        expect(u.recvfrom(1)[0], b"z")
    with socket.socket(socket.AF_UNIX) as u:
        u.bind("/tmp/socket")
    os.unlink("/tmp/socket")
    socket.getaddrinfo("127.0.0.1", 80)
    socket.gethostname()


@check
def foreign_functions():
    libc = ctypes.CDLL(None)
    expect(libc.abs(-3), 3)
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(lambda a, b: a[0] - b[0])
    array = (ctypes.c_int * 4)(4, 2, 3, 1)
    libc.qsort(array, 4, ctypes.sizeof(ctypes.c_int), compare)
    expect(list(array), [1, 2, 3, 4])


@check
def database():
    try:
        import sqlite3
    except ImportError:
        return  # not every interpreter has it
    with tempfile.TemporaryDirectory() as top:
        for path in (":memory:", os.path.join(top, "db")):
            db = sqlite3.connect(path)
            db.execute("create table t (x)")
            db.executemany("insert into t values (?)", [(i,) for i in range(10)])
            db.commit()
            db.execute("pragma journal_mode = wal")
            expect(db.execute("select sum(x) from t").fetchone(), (45,))
            db.close()


@check
def randomness():
    random.SystemRandom().random()
    os.urandom(8)
    os.getrandom(8)
    hashlib.sha256(b"").hexdigest()


@check
def clocks():
    for name in dir(time):
        if name.startswith("CLOCK_"):
            time.clock_gettime(getattr(time, name))
            time.clock_getres(getattr(time, name))
    time.sleep(0.001)
    os.times()
    time.localtime()
    resource.getrusage(resource.RUSAGE_SELF)


@check
def about_the_process():
    for name in ("getpid", "getppid", "getpgrp", "getuid", "geteuid", "getgid", "getgroups", "getresuid", "getresgid", "cpu_count", "uname",
                 "getcwd", "getpgid", "getsid", "sched_getaffinity", "sched_getscheduler", "getpriority", "sched_yield"):
        args = {"getpgid": (0,), "getsid": (0,), "sched_getaffinity": (0,), "sched_getscheduler": (0,), "getpriority": (os.PRIO_PROCESS, 0)}
        getattr(os, name)(*args.get(name, ()))
    os.nice(1)
    os.umask(os.umask(0o022))
    os.sysconf("SC_PHYS_PAGES")
    os.sysconf("SC_NPROCESSORS_ONLN")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 200), hard))
    resource.prlimit(0, resource.RLIMIT_NOFILE)
    os.sync()
    shutil.get_terminal_size()


def main():
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    failed = {}
    for f in CHECKS:
        try:
            f()
        except BaseException as e:
            failed[f.__name__] = "%s: %s (line %d)" % (type(e).__name__, e, last_line(e))
    return {"ran": len(CHECKS), "failed": failed}


def last_line(error):
    here, tb = 0, error.__traceback__
    while tb:
        if tb.tb_frame.f_code.co_filename == __file__:
            here = tb.tb_lineno
        tb = tb.tb_next
    return here


pid = os.fork()
if pid == 0:  # a program is never process 1, to which some signals cannot be sent
    text = json.dumps(main()).encode()
    sys.stdout.buffer.write(struct.pack("<I", len(text)) + text)
    sys.stdout.buffer.flush()
    os._exit(0)
os.waitpid(pid, 0)

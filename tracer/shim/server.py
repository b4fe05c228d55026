"""The fork server: process 1 of a sandbox. It forks for each execution, watches it from outside, and reports.

Frames of docs/wire.md come in on descriptor 0 and go out on 1. The end of the input ends the server, and with it, as it
is process 1, all that runs in the sandbox. User code runs only in children, under another user where there is one; all
that the server reads of them is bounded bytes.
"""
import sys

_HERE = __file__.rpartition("/")[0]
if _HERE not in sys.path:
    sys.path.insert(0, _HERE)

import gc  # noqa: E402
import importlib  # noqa: E402
import json  # noqa: E402
import mmap  # noqa: E402
import os  # noqa: E402
import resource  # noqa: E402
import select  # noqa: E402
import signal  # noqa: E402
import time  # noqa: E402
from types import ModuleType  # noqa: E402
from typing import Any, Callable, Dict, Iterable, List, Tuple  # noqa: E402

import child  # noqa: E402
import ground  # noqa: E402
import oom  # noqa: E402
import pins  # noqa: E402
import tidy  # noqa: E402
from channel import Reader, own_channel, read_frame, write_frame  # noqa: E402
from render import make_renderer  # noqa: E402
from render_budget import BUDGET  # noqa: E402
from writer import HEADER, SLACK, VERSION, uvarint  # noqa: E402

EXITED, SIGNALLED, TIME, OUTPUT, MEMORY = range(5)
KEYS = ("limits", "budget", "seed", "check")
LIMITS = ("events", "bytes", "wall_ms", "cpu_ms", "memory", "output", "file", "processes")
CLEAN_TIME = 5.0  # seconds in which what was killed must be gone
NONCE = 16  # bytes
WIPED = bytes(1 << 16)  # over the start of the mapping, after each execution; the pages of the rest are given up

monotonic = time.monotonic  # before they are pinned
sleep = time.sleep
urandom = os.urandom


class Failure(Exception):
    """The sandbox, not a program, is at fault: the server ends, and whoever runs it replaces it."""


def main() -> None:
    here = ground.find()
    if here is None:
        raise Failure("not process 1: it kills all that it can see, and so runs in a sandbox only")
    source, sink = own_channel()
    frame = read_frame(source)
    if frame[:2] != bytes((ord("C"), VERSION)):
        raise Failure("the first message is not a configuration of version %d" % VERSION)
    server = Server(json.loads(frame[2:]), here)
    write_frame(sink, b"H" + bytes((VERSION,)) + json.dumps({
        "version": "%d.%d.%d" % sys.version_info[:3],
        "implementation": sys.implementation.name,
        "recursion_limit": sys.getrecursionlimit(),
    }).encode())
    while True:
        server.job(read_frame(source), sink)


class Server:
    def __init__(self, config: Dict[str, Any], here: Any) -> None:
        check_keys("configuration", config, KEYS)
        limits = config["limits"]
        check_keys("limits", limits, LIMITS)
        check_keys("budget", config["budget"], (*BUDGET, "mode"))
        self.wall = limits["wall_ms"] / 1000
        self.half = min(limits["wall_ms"], limits["cpu_ms"]) / 2000
        self.cpu = cpu_seconds(limits)
        self.output = limits["output"]
        self.limit = limits["bytes"]
        self.memory = mmap.mmap(-1, HEADER + self.limit + SLACK)
        self.length = memoryview(self.memory)[:HEADER].cast("Q")
        self.ground = here
        self.uid = here.uid
        if not here.shield():
            raise Failure("its children would be its own user and could look into it: it needs a sandbox that closes it to them")
        os.umask(0o022)
        oom.spare_server()
        self.kernel = oom.Kernel()
        notes = pins.install(config["seed"], config["check"])
        self.setting = child.prepare(
            memory=self.memory, render=make_renderer(config["budget"]), events=limits["events"], limit=self.limit,
            limits=child_limits(limits, here.others()), uid=self.uid, scatter=5000 if config["check"] else 0, notes=notes, home=pins.HOME)
        self.wake = wake_on_death()
        self.poll = select.poll()
        self.poll.register(self.wake, select.POLLIN)
        tidy.remember()
        self.as_child(tidy.tidy)
        self.debugger: Any = None
        self.hidden = hide()
        gc.collect()
        gc.disable()
        gc.freeze()

    def job(self, message: bytes, sink: int) -> None:
        if message[:1] == b"D":
            self.debug(message, sink)
            return
        if message[:1] != b"J":
            raise Failure("a message of type %r where a job was due" % message[:1])
        r = Reader(message)
        job, mode = r.number(), r.number()
        program = r.bytes()
        for index in range(r.number()):
            case = child.Case(program, r.bytes().decode(), r.number(), r.bytes().decode(), mode & 1 == 0, mode & 2 != 0)
            write_frame(sink, b"R" + uvarint(job) + uvarint(index) + self.execute(case))

    def debug(self, message: bytes, sink: int) -> None:
        """Sessions of debuggers, which are loaded only where one is asked for."""
        if self.debugger is None:
            self.debugger = load_hidden("debugger", self.hidden)
        r = Reader(message)
        job = r.number()
        case = child.Case(r.bytes(), r.bytes().decode(), r.number(), r.bytes().decode(), True, False)
        sessions = [self.debugger.Session(case, **session) for session in json.loads(r.bytes())]
        write_frame(sink, b"R" + uvarint(job) + uvarint(0) + self.execute(sessions, self.run_debugger))

    def run_debugger(self, *args: Any) -> None:
        sys.settrace = child.settrace  # a debugger sets and removes it for itself, and would step into what notes that
        half = monotonic() + self.half  # after which no other session is begun
        self.debugger.debug(*args, lambda: monotonic() > half)

    def execute(self, case: Any, run: Callable = child.execute) -> bytes:
        nonce = urandom(NONCE)
        self.kernel.mark()
        self.length[0] = 0
        out, err = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            self.child(case, run, nonce, out[1], err[1])
        os.close(out[1])
        os.close(err[1])
        kept, totals, killed, status, cpu = self.watch(pid, out[0], err[0])
        os.close(out[0])
        os.close(err[0])
        self.clean()
        # Before a program runs, the nonce is on its stderr: what it does to the mapping cannot take that back.
        begun = kept[1].startswith(nonce)
        if begun:
            del kept[1][:NONCE]
        else:
            totals[1] += NONCE
        end, code = ending(status, killed)
        if end == SIGNALLED and code == signal.SIGKILL:  # the kernel's, or the program's own
            if self.kernel.killed():
                end = MEMORY
            elif cpu >= self.cpu:
                end = TIME
        length = min(self.length[0], self.limit + SLACK)
        if not begun and end != MEMORY:
            raise Failure("a child ended before it began: %s" % bytes(kept[1][-500:]).decode("utf-8", "replace"))
        trace = self.memory[HEADER : HEADER + length]
        self.wipe()
        return b"".join((
            bytes((end,)), uvarint(code),
            uvarint(totals[0]), uvarint(len(kept[0])), kept[0], uvarint(totals[1]), uvarint(len(kept[1])), kept[1],
            nonce, uvarint(len(trace)), trace))

    def child(self, case: Any, run: Callable, nonce: bytes, out: int, err: int) -> None:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.ground.unshield()
            child.confine(self.setting, out, err)
            os.write(2, nonce)
            run(self.setting, case, nonce)
        except BaseException as error:
            os.write(2, ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace"))
        finally:
            os._exit(70)

    def watch(self, pid: int, out: int, err: int) -> Tuple[List[bytearray], List[int], int, int, float]:
        """Drain what the child writes until it is dead, or has to be killed."""
        kept, totals = [bytearray(), bytearray()], [0, -NONCE]
        deadline = monotonic() + self.wall
        killed = -1
        streams = {out: 0, err: 1}
        for fd in streams:
            os.set_blocking(fd, False)
            self.poll.register(fd, select.POLLIN)
        try:
            while True:
                left = deadline - monotonic()
                if left <= 0 and killed < 0:
                    killed = TIME
                    self.kill()
                if left < -CLEAN_TIME:
                    raise Failure("a process that cannot be killed")
                for fd, _ in self.poll.poll(max(0, left) * 1000 + 1 if killed < 0 else 100):
                    if fd == self.wake:
                        os.read(fd, 4096)
                        continue
                    if not self.drain(fd, streams[fd], kept, totals):
                        self.poll.unregister(fd)
                        del streams[fd]
                if sum(totals) > self.output and killed < 0:
                    killed = OUTPUT
                    self.kill()
                dead, status, usage = os.wait4(pid, os.WNOHANG)
                if dead and not os.WIFSTOPPED(status):  # which the debugger of a child is told, and the child chooses its own
                    for fd, stream in streams.items():
                        self.drain(fd, stream, kept, totals)
                    return kept, totals, killed, status, usage.ru_utime + usage.ru_stime
        finally:
            for fd in streams:
                self.poll.unregister(fd)

    def drain(self, fd: int, stream: int, kept: List[bytearray], totals: List[int]) -> bool:
        """Read what is there, up to a pipe's capacity; False at the end of the stream."""
        for _ in range(16):
            try:
                data = os.read(fd, 65536)
            except BlockingIOError:
                return True
            if not data:
                return False
            room = self.output - totals[0] - totals[1]
            totals[stream] += len(data)
            if room > 0:
                kept[stream] += data[:room]
        return True

    def kill(self) -> None:
        """Kill every process of a program."""
        self.ground.kill()

    def wipe(self) -> None:
        """Leave nothing of a trace, or of what else a program wrote to the mapping, for the next to read."""
        kept = len(WIPED)
        self.memory[:kept] = WIPED
        try:
            self.memory.madvise(mmap.MADV_REMOVE, kept)
        except OSError:  # gVisor has no such thing
            self.memory[kept:] = bytes(len(self.memory) - kept)

    def as_child(self, act: Callable[[], None]) -> None:
        """act(), as the user that the children are, in a process of its own: it may do all that it needs to do to what
        they left, and needs no capability for it."""
        pid = os.fork()
        if pid == 0:
            try:
                if self.uid >= 0:
                    os.setresuid(self.uid, self.uid, self.uid)
                act()
            finally:
                os._exit(0)
        try:
            os.waitpid(pid, 0)
        except ChildProcessError:
            pass

    def clean(self) -> None:
        """Leave nothing of an execution behind. Every process descends from this one, and orphans become its children:
        when it has none, there is none."""
        deadline = monotonic() + CLEAN_TIME
        while self.processes():
            if monotonic() > deadline:
                raise Failure("processes that cannot be killed")
            self.kill()
            sleep(0.001)
        if not tidy.is_tidy():
            self.as_child(tidy.tidy)
            if not tidy.is_tidy():
                raise Failure("files that cannot be removed")

    def processes(self) -> bool:
        """Reap what is dead; whether anything is not."""
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return False
        return True


def check_keys(what: str, given: Dict[str, Any], known: Iterable[str]) -> None:
    wrong = set(given).symmetric_difference(known)
    if wrong:
        raise Failure("%s: %s: not known, or not given" % (what, ", ".join(sorted(wrong))))


def ending(status: int, killed: int) -> Tuple[int, int]:
    if killed >= 0:
        return killed, 0
    if os.WIFEXITED(status):
        return EXITED, os.WEXITSTATUS(status)
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return TIME, number
    return SIGNALLED, number


def cpu_seconds(limits: Dict[str, int]) -> int:
    return -(-limits["cpu_ms"] // 1000)


def child_limits(limits: Dict[str, int], others: int) -> tuple:
    """others are processes that the kernel counts with a child's."""
    cpu = cpu_seconds(limits)
    with open("/proc/self/statm") as f:
        own = int(f.read().split()[0]) * mmap.PAGESIZE
    space = own + limits["memory"]
    processes = limits["processes"] + 1 + others
    return (
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_CPU, (cpu, cpu + 1)),
        (resource.RLIMIT_FSIZE, (limits["file"], limits["file"])),
        (resource.RLIMIT_NOFILE, (256, 256)),
        (resource.RLIMIT_NPROC, (processes, processes)),
        (resource.RLIMIT_AS, (space, space)),
    )


def hide() -> Dict[str, ModuleType]:
    """Take the shim out of what programs can import; its modules."""
    sys.path[:] = [entry for entry in sys.path if entry != _HERE]
    hidden = {name: module for name, module in sys.modules.items()
              if (getattr(module, "__file__", None) or "").rpartition("/")[0] == _HERE}
    for name in hidden:
        del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")
    return hidden


def load_hidden(name: str, hidden: Dict[str, ModuleType]) -> ModuleType:
    """A module of the shim's, as hidden as the others."""
    sys.path.insert(0, _HERE)
    sys.modules.update(hidden)
    try:
        module = importlib.import_module(name)
    finally:
        hide()
    gc.freeze()
    return module


def wake_on_death() -> int:
    """A descriptor that can be read when a child has died."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.stderr.write("server: %s\n" % failure)
        sys.stderr.flush()
        os._exit(1)

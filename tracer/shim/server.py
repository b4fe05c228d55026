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
import marshal  # noqa: E402
import mmap  # noqa: E402
import os  # noqa: E402
import resource  # noqa: E402
import signal  # noqa: E402
import time  # noqa: E402
from types import ModuleType  # noqa: E402
from typing import Any, Dict, Iterable, List, NoReturn, Optional, Tuple  # noqa: E402

import child  # noqa: E402
import ground  # noqa: E402
import jobs  # noqa: E402
import oom  # noqa: E402
import pins  # noqa: E402
import tidy  # noqa: E402
import warm  # noqa: E402
from channel import Sink, Source, monotonic, own_channel  # noqa: E402
from compiler import Compiler  # noqa: E402
from ground import Failure  # noqa: E402
from nursery import Nursery  # noqa: E402
from render import make_renderer  # noqa: E402
from render_budget import BUDGET  # noqa: E402
from watch import CLEAN_TIME, TIME, Seen, Watch  # noqa: E402
from writer import HEADER, SLACK, VERSION, following, uvarint  # noqa: E402
from zygote import Kind  # noqa: E402

EXITED, SIGNALLED, MEMORY = 0, 1, 4  # ends, besides those of watch
KEYS = ("limits", "budget", "seed", "check")
LIMITS = ("events", "bytes", "wall_ms", "cpu_ms", "memory", "output", "file", "processes")
OWN_STEP = 4 << 20  # bytes to which the size of the server is rounded up, so that a child's limit is the same in each
WIPED = bytes(1 << 16)  # over the start of the mapping, after each process; the pages of the rest are given up

sleep = time.sleep  # before they are pinned
urandom = os.urandom


def main() -> None:
    here = ground.find()
    if here is None:
        raise Failure("not process 1: it kills all that it can see, and so runs in a sandbox only")
    source, sink = own_channel()
    frame = source.frame()
    if frame[:2] != bytes((ord("C"), VERSION)):
        raise Failure("the first message is not a configuration of version %d" % VERSION)
    server = Server(json.loads(frame[2:]), here, source, sink)
    sink.put(b"H" + bytes((VERSION,)) + json.dumps({
        "version": "%d.%d.%d" % sys.version_info[:3],
        "implementation": sys.implementation.name,
        "recursion_limit": sys.getrecursionlimit(),
    }).encode())
    while True:
        server.job(server.next())


class Server:
    def __init__(self, config: Dict[str, Any], here: Any, source: Source, sink: Sink) -> None:
        check_keys("configuration", config, KEYS)
        limits = config["limits"]
        check_keys("limits", limits, LIMITS)
        check_keys("budget", config["budget"], (*BUDGET, "mode"))
        self.source, self.sink = source, sink
        self.ahead: Optional[jobs.Job] = None  # read, and being compiled
        self.half = min(limits["wall_ms"], limits["cpu_ms"]) / 2000
        self.cpu = cpu_seconds(limits)
        self.limit = limits["bytes"]
        self.memory = mmap.mmap(-1, self.limit + child.ROOM)
        self.ground = here
        if not here.shield():
            raise Failure("its children would be its own user and could look into it: it needs a sandbox that closes it to them")
        os.umask(0o022)
        oom.spare_server()
        self.kernel = oom.Kernel()
        notes = pins.install(config["seed"], config["check"])
        render = make_renderer(config["budget"])
        warm.up(render)
        self.hidden = hide()  # before it is noted what there is
        set_limits(limits)
        self.setting = child.prepare(
            memory=self.memory, render=render, events=limits["events"], limit=self.limit, limits=child_limits(limits, here.others()),
            cpu=self.cpu, uid=here.uid, scatter=5000 if config["check"] else 0, notes=notes, home=pins.HOME)
        self.watch = Watch(limits["wall_ms"] / 1000, limits["output"], self.kill)
        self.compiler = Compiler(here.compiler_uid, child_limits(limits, 0))
        self.family = os.open("/proc/thread-self/children", os.O_RDONLY)
        tidy.remember()
        self.tidy()
        self.debugger: Any = None
        gc.collect()
        gc.disable()
        gc.freeze()
        self.nursery = Nursery(Kind(here, self.child, self.load_debugger))

    def next(self) -> jobs.Job:
        """The job that comes next, which is waited for."""
        job, self.ahead = self.ahead, None
        if job is None:
            if not self.source.ready():
                self.sink.flush()
            job = jobs.read(self.source.frame())
        return job

    def look_ahead(self) -> None:
        """While a program runs: let what comes next be compiled, where it is there and somebody compiles."""
        message = self.source.ahead() if self.ground.apart and not self.ahead else b""
        if message:
            self.ahead = jobs.read(message)
            if not self.ahead.sessions:
                self.compiler.begin(self.ahead.program, self.ahead.wrappers)

    def job(self, job: jobs.Job) -> None:
        traced, compared = job.mode & jobs.UNTRACED == 0, job.mode & jobs.ARGUMENTS != 0
        cases = [(job.program, *wrapper, traced, compared) for wrapper in job.wrappers]
        if job.sessions:  # of debuggers, which are loaded only where one is asked for
            self.nursery.want_debugger()
        else:
            code, wrapper_codes = self.compiler.compile(job.program, job.wrappers)
            cases = [(*case, code, wrapper_code) for case, wrapper_code in zip(cases, wrapper_codes)]
        done = 0
        while done < len(cases):
            done += self.execute(job, done, cases[done:] if job.mode & jobs.TOGETHER else cases[done : done + 1])

    def execute(self, job: jobs.Job, first: int, cases: List[tuple]) -> int:
        """Run cases in one process, until it ends, and put their results; their number."""
        nonces = [urandom(child.NONCE) for _ in cases]
        self.kernel.mark()
        process = self.nursery.give(marshal.dumps((nonces, cases, job.sessions)))
        self.watch.begin(process, nonces)
        self.look_ahead()
        done, start = 0, 0
        while True:
            seen = self.watch.case()
            trace = self.trace(start)
            result = b"R" + uvarint(job.number) + uvarint(first + done) + self.result(seen, nonces[done], trace, done)
            done += 1
            if seen.ended:
                break
            self.sink.put(result)
            start = following(start + HEADER + len(trace))
        self.watch.end()
        self.clean()
        self.wipe()
        self.sink.put(result)  # now that nothing is left of what it tells of
        return done

    def load_debugger(self) -> None:
        """In what children are forked from."""
        if self.debugger is None:
            self.debugger = load_hidden("debugger", self.hidden)

    def child(self) -> NoReturn:
        """In a fork."""
        nonces, cases, sessions = child.receive()
        os.chdir(self.setting.home)
        sharing = child.Sharing(self.setting, len(cases)) if len(cases) > 1 else None
        cpu = resource.RLIMIT_CPU, (self.cpu, child.most_cpu(self.cpu, len(cases)))
        child.descend(self.setting.uid, (*self.setting.limits, cpu))
        cases = [child.Case(*case) for case in cases]
        if not sessions:
            child.serve(self.setting, nonces, cases, sharing)
        child.say_begun()
        os.closerange(child.JOB, child.DESCRIPTORS)
        sys.settrace = child.settrace  # a debugger sets and removes it for itself, and would step into what notes that
        half = monotonic() + self.half  # after which no other session is begun
        self.debugger.debug(self.setting, [self.debugger.Session(cases[0], **session) for session in sessions], nonces[0],
                            lambda: monotonic() > half)

    def trace(self, start: int) -> bytes:
        """Of the case whose trace starts there, as far as it has written it."""
        begin = start + HEADER
        length = min(int.from_bytes(self.memory[start:begin], "little"), self.limit + SLACK)
        return self.memory[begin : begin + length]

    def result(self, seen: Seen, nonce: bytes, trace: bytes, before: int) -> bytes:
        """What there is to say of a case, the one after so many others of the same process."""
        end, code = ending(seen) if seen.ended else (EXITED, 0)
        if end == SIGNALLED and code == signal.SIGKILL:  # the kernel's, or the program's own
            if self.kernel.killed():
                end = MEMORY
            elif seen.cpu >= self.cpu * (before + 1):
                end = TIME
        if not seen.begun and end != MEMORY:
            raise Failure("a child ended before it began: %s" % seen.kept[1][-500:].decode("utf-8", "replace"))
        (out, err), (out_total, err_total) = seen.kept, seen.totals
        return b"".join((
            bytes((end,)), uvarint(code), uvarint(out_total), uvarint(len(out)), out, uvarint(err_total), uvarint(len(err)), err,
            nonce, uvarint(len(trace)), trace))

    def kill(self, pid: int) -> None:
        """End a process that has a job, which may not be of the programs' user yet, and every process that they have."""
        os.kill(pid, signal.SIGKILL)
        self.ground.kill()

    def wipe(self) -> None:
        """Leave nothing of a trace, or of what else a program wrote to the mapping, for the next to read."""
        kept = len(WIPED)
        self.memory[:kept] = WIPED
        try:
            self.memory.madvise(mmap.MADV_REMOVE, kept)
        except OSError:  # gVisor has no such thing
            self.memory[kept:] = bytes(len(self.memory) - kept)

    def clean(self) -> None:
        """Leave nothing of an execution behind. Every process descends from this one, and orphans become its children:
        when it has none, there is none."""
        deadline = monotonic() + CLEAN_TIME
        while self.others():
            if monotonic() > deadline:
                raise Failure("processes that cannot be killed")
            self.ground.kill()
            sleep(0.001)
        if not self.tidiness.lasts():
            self.tidy()

    def tidy(self) -> None:
        """As the user that the children are, who may do all that is needed to what they left, and needs no power for it."""
        ground.as_user((self.ground.uid,) * 3, tidy.tidy)
        try:
            self.tidiness = tidy.Tidiness()
        except OSError as error:
            raise Failure("files that cannot be removed: %s" % error)

    def others(self) -> bool:
        """Reap what is dead; whether there is a process left that is none of the server's own."""
        try:
            while True:
                pid = os.waitpid(-1, os.WNOHANG)[0]
                if pid == 0:
                    break
                if pid == self.compiler.pid:
                    self.compiler.gone()
                elif pid in self.nursery:
                    self.nursery.gone(pid)
        except ChildProcessError:
            return False
        left = [int(pid) for pid in os.pread(self.family, 1 << 16, 0).split()]
        return any(pid not in self.nursery and pid != self.compiler.pid for pid in left)


def check_keys(what: str, given: Dict[str, Any], known: Iterable[str]) -> None:
    wrong = set(given).symmetric_difference(known)
    if wrong:
        raise Failure("%s: %s: not known, or not given" % (what, ", ".join(sorted(wrong))))


def ending(seen: Seen) -> Tuple[int, int]:
    if seen.killed >= 0:
        return seen.killed, 0
    if os.WIFEXITED(seen.status):
        return EXITED, os.WEXITSTATUS(seen.status)
    number = os.WTERMSIG(seen.status)
    if number == signal.SIGXCPU:
        return TIME, number
    return SIGNALLED, number


def cpu_seconds(limits: Dict[str, int]) -> int:
    return -(-limits["cpu_ms"] // 1000)


def set_limits(limits: Dict[str, int]) -> None:
    """Those that the server has as well, and every process inherits."""
    for which, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, limits["file"]), (resource.RLIMIT_NOFILE, child.DESCRIPTORS)):
        resource.setrlimit(which, (value, value))


def child_limits(limits: Dict[str, int], others: int) -> tuple:
    """others are processes that the kernel counts with a child's."""
    with open("/proc/self/statm") as f:
        own = int(f.read().split()[0]) * mmap.PAGESIZE
    own += -own % OWN_STEP
    space = own + limits["memory"]
    processes = limits["processes"] + 1 + others
    return (
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


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.stderr.write("server: %s\n" % failure)
        sys.stderr.flush()
        os._exit(1)

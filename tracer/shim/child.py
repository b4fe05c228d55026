"""The child's side of an execution: it gives up what the server has, loads the program, and runs the call.

It is entered in a fresh fork and never returns: it ends by os._exit, by a signal, or by being killed.
"""
import _signal
import builtins
import marshal
import os
import resource
import sys
from types import ModuleType
from typing import Any, Callable, NamedTuple, NoReturn, Optional, Sequence

import script
from arguments import of_call
from channel import monotonic, read_exactly
from pins import TRACER_NOTE
from recorder import Recorder
from render_names import BUILTINS
from values import numbering
from world import HELD, World
from writer import (BYTE_LIMIT, EVENT_LIMIT, HEADER, NO_VALUE, RAISED, RETURNED, SLACK, SYSTEM_EXIT, UNIMPORTABLE, Writer)

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach

PROGRAM = "program.py"
MODULE = "program"
FUTURE_FLAGS = 0x1FE0000  # PyCF_MASK: what `from __future__` leaves in co_flags

# Descriptors of a child, after those of its world: all of them are closed before its last case, or the first session of a debugger.
JOB = HELD.stop  # its job comes here
DONE = JOB + 1  # where the child says when a case begins, which is the end of the one before
BEGUN = 8  # bytes of that: milliseconds of the monotonic clock, little-endian
OUT, ERR, NULL = JOB + 2, JOB + 3, JOB + 4  # where its streams lead, and where they lead between cases
DESCRIPTORS = 256
NONCE = 16  # bytes
SHARED = 1 << 20  # bytes of traces after which the cases that are left get another process
ROOM = HEADER + SLACK + SHARED  # bytes of a mapping besides the limit of a trace

_exit = os._exit  # what programs can replace is kept as it was
settrace = sys.settrace
_write, _dup2 = os.write, os.dup2
_get_usage, _set_limit = resource.getrusage, resource.setrlimit


class Case(NamedTuple):
    program: bytes
    wrapper: str  # or what is on standard input, where the entry is script.ENTRY
    line: int
    entry: str
    traced: bool
    compared: bool  # its arguments are to be digested
    code: bytes = b""  # of the program, marshalled; empty: it is compiled here, and so is the wrapper
    wrapper_code: bytes = b""  # likewise


class Setting(NamedTuple):
    """What the server gives every child of its."""
    memory: Any  # the mapping, of ROOM and limit
    render: Callable
    events: int
    limit: int  # bytes of the trace
    writer: Writer
    number: Callable[[Any], int]  # values to their numbers
    recorder: Recorder
    limits: tuple  # of setrlimit
    cpu: int  # seconds for one case
    uid: int  # -1: there is no other to change to
    scatter: int  # objects to allocate first, so that addresses differ
    notes: set  # what pins have to say
    home: str
    forks: "Forks"
    world: World

    def renewed(self, start: int = 0) -> "Setting":
        """For another case, whose trace begins there in the mapping."""
        return self._replace(**recording(self.memory, self.render, self.events, self.limit, start))


class Forks:
    """Tells the process that was forked for a program from those that the program forks: the trace is of the first."""

    def __init__(self) -> None:
        self.running = False  # the program
        self.ours = True
        os.register_at_fork(after_in_child=self.forked)

    def forked(self) -> None:
        if self.running:
            self.ours = False
            settrace(None)


def prepare(memory: Any, render: Callable, events: int, limit: int, home: str, **others: Any) -> Setting:
    """A setting, with all that can be made before the fork: what a child touches, it has to copy."""
    return Setting(memory=memory, render=render, events=events, limit=limit, home=home, forks=Forks(), world=World(home, MODULE),
                   **recording(memory, render, events, limit, 0), **others)


def recording(memory: Any, render: Callable, events: int, limit: int, start: int) -> dict:
    """What records one case."""
    writer = Writer(memory, limit, start)
    number = numbering(render, writer)
    return {"writer": writer, "number": number, "recorder": Recorder(PROGRAM, writer, number, events)}


def prepare_brood(ground: Any) -> None:
    """What is the same for all children that this process forks, and is to be theirs."""
    offer()
    leave_groups(ground.uid)


def offer() -> None:
    """The kernel is to kill this process, not the server."""
    fd = os.open(b"/proc/self/oom_score_adj", os.O_WRONLY)
    os.write(fd, b"1000")
    os.close(fd)


def leave_groups(gid: int) -> None:
    """While this process may still do so: be in this group alone."""
    os.setgroups([])
    os.setresgid(gid, gid, gid)


def confine(job: int, done: int, out: int, err: int) -> None:
    """Most of what makes this process less than the server, as far as a waiting child can have it. Errors end it before a
    trace is begun, which the server takes for a fault of the sandbox, not of the program."""
    os.setsid()
    # An open file of its own: what a program sets on one that all share, such as a lock, the next would find.
    os.dup2(os.open(b"/dev/null", os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    keep(job, done)


def keep(job: int, done: int) -> None:
    """These are JOB and DONE; no other descriptor stays but the first three."""
    os.dup2(job, JOB, False)
    os.dup2(done, DONE, False)
    os.closerange(3, JOB)


def leave_server() -> None:
    """In a fork of it: signals are no longer heard."""
    _signal.set_wakeup_fd(-1)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)  # the module signal makes enumerations of what goes in and out


def most_cpu(cpu: int, cases: int) -> int:
    """Seconds that a process can have, whatever it does: the signal at the softer limit of a case may be ignored."""
    return cpu * cases + 1


def descend(uid: int, limits: tuple) -> None:
    """The rest, which waits for the job: whatever else runs as this user is killed after each."""
    if uid >= 0:
        os.setresuid(uid, uid, uid)
    for which, value in limits:
        resource.setrlimit(which, value)


def receive() -> tuple:
    """The job that this child was forked for."""
    return marshal.loads(read_exactly(JOB, int.from_bytes(read_exactly(JOB, 4), "little")))


def say_begun() -> None:
    """Before a program runs: what it does to the mapping cannot take that back."""
    _write(DONE, int(monotonic() * 1000).to_bytes(BEGUN, "little"))


def serve(setting: Setting, nonces: Sequence[bytes], cases: Sequence[Case], sharing: Optional["Sharing"]) -> NoReturn:
    """Run cases of one function, one after the other, as long as each leaves the process as it was and its trace room for
    others. The server forks another child for those that are left."""
    for number, case in enumerate(cases, 1):
        say_begun()
        if number == len(cases):
            os.closerange(HELD.start, DESCRIPTORS)
            sharing = None
        execute(setting, case, nonces[number - 1])
        if sharing is None or setting.writer.following > SHARED or not sharing.restore(number, nonces[number]):
            break
        setting.notes.clear()
        setting = setting.renewed(setting.writer.following)
    _exit(0)


class Sharing:
    """What the cases of one process share, and what is put back between them. It is made before the process descends."""

    def __init__(self, setting: Setting, cases: int) -> None:
        os.dup2(1, OUT, False)
        os.dup2(2, ERR, False)
        os.dup2(os.open(os.devnull, os.O_WRONLY), NULL, False)
        os.closerange(3, DONE)
        setting.world.begin()
        self._cpu = setting.cpu
        self._most = most_cpu(setting.cpu, cases)
        self._forks = setting.forks
        self._world = setting.world

    def restore(self, cases: int, nonce: bytes) -> bool:
        """After a case: whether another may follow, whose nonce then marks the end of what this one has printed. What
        finalizers print now would not have been printed had the process ended."""
        if not self._forks.ours:
            return False
        self._forks.running = False
        _dup2(NULL, 1)
        _dup2(NULL, 2)
        restored = self._world.restore()
        _dup2(OUT, 1)
        _dup2(ERR, 2)
        if restored:
            usage = _get_usage(resource.RUSAGE_SELF)
            used = int(usage.ru_utime + usage.ru_stime) + 1
            _set_limit(resource.RLIMIT_CPU, (min(used + self._cpu, self._most), self._most))
            _write(OUT, nonce)
            _write(ERR, nonce)
        return restored


def execute(setting: Setting, case: Case, nonce: bytes) -> None:
    """One case. It returns when that has ended by itself, and ends the process otherwise."""
    writer, number, rec, forks = setting.writer, setting.number, setting.recorder, setting.forks
    writer.begin(nonce)
    streams = sys.stdout, sys.stderr
    forks.running = True

    def finish(outcome: int, value: int = NO_VALUE, exception: tuple = ("", "")) -> None:
        settrace(None)
        if case.entry == script.ENTRY and outcome in (RETURNED, RAISED, SYSTEM_EXIT):
            script.conclude()
        digest = rec.arguments.digest(setting.render) if outcome == RETURNED or outcome == RAISED else ""
        for stream in streams:
            try:
                stream.flush()
            except BaseException:
                pass
        if forks.ours:
            alive = rec.alive and TRACER_NOTE not in setting.notes
            writer.end(outcome, rec.count, rec.lost, alive, value, exception, digest, setting.notes)
        if outcome != RETURNED and outcome != RAISED:
            _exit(0)

    rec.over = lambda: finish(EVENT_LIMIT)
    writer.full = lambda: finish(BYTE_LIMIT)
    scattered = [[] for _ in range(setting.scatter)]  # noqa: F841: kept, so that what follows is elsewhere
    try:
        call, base = load(case)
        of = (base or call.__code__) if case.compared and case.entry != script.ENTRY else None
        arguments = of_call(case.program, of, PROGRAM)
    except BaseException as error:
        finish(UNIMPORTABLE, exception=describe(error, setting.render))
    try:
        value = rec.run(call, base, arguments, case.traced)
    except SystemExit as error:
        finish(SYSTEM_EXIT, exception=describe(error, setting.render))
    except BaseException as error:
        return finish(RAISED, exception=describe(error, setting.render))
    finish(RETURNED, number(value) + 1 if forks.ours else NO_VALUE)


def load(case: Case) -> tuple:
    """The call, and the code whose frame is its base, when that is not the recorder's own."""
    if case.code and case.wrapper_code:
        code, wrapper = marshal.loads(case.code), marshal.loads(case.wrapper_code)
    else:
        code = compile_program(case.program)
        wrapper = compile_wrapper(code, case.wrapper, case.line, case.entry)
    if case.entry == script.ENTRY:
        return script.load(code, PROGRAM, case.wrapper), None
    module = ModuleType(MODULE)
    module.__file__ = PROGRAM
    space = module.__dict__
    space["__builtins__"] = builtins.__dict__
    sys.modules[MODULE] = module
    exec(code, space)
    if case.entry:
        exec(wrapper, space)
        return space[case.entry], None
    return (lambda: eval(wrapper, space)), wrapper


def compile_program(program: bytes) -> Any:
    # As text: a coding cookie is about the file that the program was in, and this is UTF-8.
    return compile(program.decode(), PROGRAM, "exec", 0, True)


def compile_wrapper(program: Any, wrapper: str, line: int, entry: str) -> Any:
    """Code of the wrapper's definition, or without an entry of the call; a script has none. program is the code that it goes with."""
    if entry == script.ENTRY:
        return None
    flags = program.co_flags & FUTURE_FLAGS
    if entry:
        return compile("\n" * (line - 1) + wrapper, PROGRAM, "exec", flags, True)
    return compile(wrapper, "<call>", "eval", flags, True)


_name_of = type.__dict__["__qualname__"].__get__
_module_of = type.__dict__["__module__"].__get__
_mro_of = type.__dict__["__mro__"].__get__
_args_of = BaseException.__dict__["args"].__get__


def describe(error: BaseException, render: Callable) -> tuple:
    """Type and message of an exception, without running a method of a user's class."""
    kind = type(error)
    name, module = _name_of(kind), _module_of(kind)
    if type(module) is str and module not in ("builtins", MODULE, script.MODULE):
        name = module + "." + name
    args = _args_of(error)
    if KeyError in _mro_of(kind) or len(args) != 1 or type(args[0]) is not str:
        message = render(args[0] if len(args) == 1 else args)[0] if args else ""
    else:
        message = args[0]
    return name, message[:4096]

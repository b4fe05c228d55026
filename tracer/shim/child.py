"""The child's side of an execution: it gives up what the server has, loads the program, and runs the call.

It is entered in a fresh fork and never returns: it ends by os._exit, by a signal, or by being killed.
"""
import builtins
import os
import resource
import sys
from types import ModuleType
from typing import Any, Callable, NamedTuple

from arguments import of_call
from pins import TRACER_NOTE
from recorder import Recorder
from render_names import BUILTINS
from values import numbering
from writer import (BYTE_LIMIT, EVENT_LIMIT, HEADER, NO_VALUE, RAISED, RETURNED, SLACK, SYSTEM_EXIT, UNIMPORTABLE, Writer)

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach

PROGRAM = "program.py"
MODULE = "program"
FUTURE_FLAGS = 0x1FE0000  # PyCF_MASK: what `from __future__` leaves in co_flags

_exit = os._exit  # what programs can replace is kept as it was
settrace = sys.settrace


class Case(NamedTuple):
    program: bytes
    wrapper: str
    line: int
    entry: str
    traced: bool
    compared: bool  # its arguments are to be digested


class Setting(NamedTuple):
    """What the server gives every child of its."""
    memory: Any  # the mapping
    render: Callable
    limit: int  # bytes of the trace
    writer: Writer
    number: Callable[[Any], int]  # values to their numbers
    recorder: Recorder
    limits: tuple  # of setrlimit
    uid: int  # -1: there is no other to change to
    scatter: int  # objects to allocate first, so that addresses differ
    notes: set  # what pins have to say
    home: str
    forks: "Forks"


class Forks:
    """Tells the process that the server started from those that the program forks: the trace is of the first."""

    def __init__(self) -> None:
        self.running = False  # the program
        self.ours = True
        os.register_at_fork(after_in_child=self.forked)

    def forked(self) -> None:
        if self.running:
            self.ours = False
            settrace(None)


def prepare(memory: Any, render: Callable, events: int, limit: int, **others: Any) -> Setting:
    """A setting, with all that can be made before the fork: what a child touches, it has to copy."""
    writer = Writer(memory, limit)
    number = numbering(render, writer)
    return Setting(memory=memory, render=render, limit=limit, writer=writer, number=number,
                   recorder=Recorder(PROGRAM, writer, number, events), forks=Forks(), **others)


def confine(setting: Setting, out: int, err: int) -> None:
    """Everything that makes this process less than the server. Errors end it before a trace is begun, which the server
    takes for a fault of the sandbox, not of the program."""
    os.setsid()
    if setting.uid >= 0:  # else it is closed to itself, too
        fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)  # the kernel is to kill this, not the server
        os.write(fd, b"1000")
    # An open file of its own: what a program sets on one that all share, such as a lock, the next would find.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.closerange(3, 256)
    if setting.uid >= 0:
        os.setgroups([])
        os.setresgid(setting.uid, setting.uid, setting.uid)
        os.setresuid(setting.uid, setting.uid, setting.uid)
    os.rmdir(setting.home)  # which is empty, but may have times and attributes that tell of the one before
    os.mkdir(setting.home)
    os.chdir(setting.home)
    for which, value in setting.limits:
        resource.setrlimit(which, value)


def execute(setting: Setting, case: Case, nonce: bytes) -> None:
    writer, number, rec, forks = setting.writer, setting.number, setting.recorder, setting.forks
    writer.begin(nonce)
    streams = sys.stdout, sys.stderr
    forks.running = True

    def finish(outcome: int, value: int = NO_VALUE, exception: tuple = ("", "")) -> None:
        settrace(None)
        digest = rec.arguments.digest(setting.render) if outcome == RETURNED or outcome == RAISED else ""
        for stream in streams:
            try:
                stream.flush()
            except BaseException:
                pass
        if forks.ours:
            alive = rec.alive and TRACER_NOTE not in setting.notes
            writer.end(outcome, rec.count, rec.lost, alive, value, exception, digest, setting.notes)
        _exit(0)

    rec.over = lambda: finish(EVENT_LIMIT)
    writer.full = lambda: finish(BYTE_LIMIT)
    scattered = [[] for _ in range(setting.scatter)]  # noqa: F841: kept, so that what follows is elsewhere
    try:
        call, base = load(case)
        arguments = of_call(case.program, (base or call.__code__) if case.compared else None, PROGRAM)
    except BaseException as error:
        finish(UNIMPORTABLE, exception=describe(error, setting.render))
    try:
        value = rec.run(call, base, arguments, case.traced)
    except SystemExit as error:
        finish(SYSTEM_EXIT, exception=describe(error, setting.render))
    except BaseException as error:
        finish(RAISED, exception=describe(error, setting.render))
    finish(RETURNED, number(value) + 1 if forks.ours else NO_VALUE)


def load(case: Case) -> tuple:
    """The call, and the code whose frame is its base, when that is not the recorder's own."""
    module = ModuleType(MODULE)
    module.__file__ = PROGRAM
    space = module.__dict__
    space["__builtins__"] = builtins.__dict__
    sys.modules[MODULE] = module
    # As text: a coding cookie is about the file that the program was in, and this is UTF-8.
    code = compile(case.program.decode(), PROGRAM, "exec", 0, True)
    flags = code.co_flags & FUTURE_FLAGS
    if case.entry:
        wrapper = compile("\n" * (case.line - 1) + case.wrapper, PROGRAM, "exec", flags, True)
        exec(code, space)
        exec(wrapper, space)
        return space[case.entry], None
    expression = compile(case.wrapper, "<call>", "eval", flags, True)
    exec(code, space)
    return (lambda: eval(expression, space)), expression


_name_of = type.__dict__["__qualname__"].__get__
_module_of = type.__dict__["__module__"].__get__
_mro_of = type.__dict__["__mro__"].__get__
_args_of = BaseException.__dict__["args"].__get__


def describe(error: BaseException, render: Callable) -> tuple:
    """Type and message of an exception, without running a method of a user's class."""
    kind = type(error)
    name, module = _name_of(kind), _module_of(kind)
    if type(module) is str and module not in ("builtins", MODULE):
        name = module + "." + name
    args = _args_of(error)
    if KeyError in _mro_of(kind) or len(args) != 1 or type(args[0]) is not str:
        message = render(args[0] if len(args) == 1 else args)[0] if args else ""
    else:
        message = args[0]
    return name, message[:4096]

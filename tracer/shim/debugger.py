"""Real debuggers in the place of the recorder: they stop while the program runs, and say where.

What enters: a case and lists of actions. What leaves: JSON lines in the shared mapping, one per stop (docs/wire.md), and
an end for each list. Of PdbReplay every decision to stop is the standard library's: it is what recorded transitions are compared with.
TreeReplay states the tree's rule a second time, for a program that runs; it knows nothing of tables or indices.

This module is loaded by a server that is asked for a session, never by one that only traces.
"""
import bdb
import dis
import os
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import child
from collector import collector_closes
from frames import CO_OPTIMIZED, SUSPENDABLE, reader_of
from recorder import unwrapped, visible
from report import Report, scalar
from world import World

PDB, TREE, BARE, NONE = "pdb", "tree", "bare", "none"

_exit = os._exit
_nothing = object()


class Session(NamedTuple):
    case: child.Case
    semantics: str
    start: int  # calls and resumes of the program's frames before the one where the session begins
    actions: List[List[str]]  # kind, argument
    finish: bool  # go on to the program's end after the last action, and list all events that came


def debug(setting: child.Setting, sessions: List[Session], nonce: bytes, late: Callable[[], bool]) -> None:
    """The child's side. It never returns: it ends after the last session, or after one that leaves the others too little time
    or room, or a world that is not as it was, and then says that there are others."""
    report = Report(setting, nonce, len(sessions))
    os.register_at_fork(after_in_child=report.forked)
    world = World(setting.home)
    for number, session in enumerate(sessions):
        if number and (late() or report.crowded() or not world.restore()):
            report.rest()
        report.begin(number)
        run(setting, session, report)
        if not report.ours:
            break
    _exit(0)


def run(setting: child.Setting, session: Session, report: Report) -> None:
    """One session. Where others follow, one whose actions are exhausted goes on untraced to the program's end."""
    streams = sys.stdout, sys.stderr
    raw: Optional[List[str]] = [] if session.finish else None

    def finish(record: Dict[str, Any]) -> None:
        sys.settrace(None)
        for stream in streams:
            try:
                stream.flush()
            except BaseException:
                pass
        if raw is not None:
            report.line({"raw": raw})
        report.end(record)

    try:
        call, base = child.load(session.case)
    except BaseException as error:
        return finish(raised("unimportable", error, setting.render))
    debugger = DEBUGGERS[session.semantics](session, report, raw, base)
    try:
        value = debugger.debug(call)
    except BaseException as error:
        return finish(raised("raised", error, setting.render))
    finish({"end": "returned", "value": report.value(value)})


def raised(end: str, error: BaseException, render: Callable) -> Dict[str, Any]:
    name, message = child.describe(error, render)
    return {"end": end, "type": scalar(name), "message": scalar(message)}


def in_scope(frame: Any) -> bool:
    return frame.f_code.co_filename == child.PROGRAM


def physical_lines(case: child.Case) -> Dict[str, List[int]]:
    """The numbers of the lines that have a text: where a breakpoint on that text is set."""
    lines: Dict[str, List[int]] = {}
    for first, text in ((1, case.program.decode()), (case.line, case.wrapper)) if case.entry else ((1, case.program.decode()),):
        for number, line in enumerate(text.split("\n"), first):
            lines.setdefault(line, []).append(number)
    return lines


class Debugger(bdb.Bdb):
    """What both have: the scope, the beginning of a session, and reports of stops."""

    def __init__(self, session: Session, report: Report, raw: Optional[List[str]], base: Any) -> None:
        bdb.Bdb.__init__(self)
        self.fncache[child.PROGRAM] = child.PROGRAM  # its breakpoints do not depend on the working directory
        self.report = report
        self.actions = iter(session.actions)
        self.finish = session.finish
        self.ahead = session.start  # calls to let pass; -1 once the session has begun
        self.first = 0  # id of the frame of the session's first activation
        self.closed = False  # that has ended
        self.lines = physical_lines(session.case)
        self.readers: Dict[int, Tuple[Any, Callable]] = {}
        self.base = base or Debugger.debug.__code__
        if raw is not None:
            self.raw = raw
            self.trace_dispatch = self.listing_dispatch  # type: ignore[method-assign]

    def debug(self, call: Callable[[], Any]) -> Any:
        self.reset()
        self.botframe = sys._getframe()
        self.wait()
        sys.settrace(self.trace_dispatch)
        try:
            return call()
        finally:
            sys.settrace(None)

    def wait(self) -> None:
        """Stop nowhere."""
        self._set_stopinfo(self.botframe, None, -1)

    def listing_dispatch(self, frame: Any, event: str, arg: Any) -> Any:
        if in_scope(frame):
            self.raw.append("%s%d" % (event[0], frame.f_lineno or 0))
        return bdb.Bdb.trace_dispatch(self, frame, event, arg)

    def begins(self, frame: Any) -> bool:
        """Of a call or resume in scope: whether the session begins with it."""
        if self.ahead < 0:
            return False
        self.ahead -= 1
        if self.ahead >= 0:
            return False
        self.first = id(frame)
        return True

    def record(self, event: str, frame: Any, value: Any = _nothing) -> Dict[str, Any]:
        """What a stop shows."""
        code, number = frame.f_code, self.report.value
        record = {
            "event": event, "line": frame.f_lineno or 0, "function": scalar(code.co_name), "depth": self.depth(frame),
            "closed": self.closed, "locals": [[scalar(name), number(of)] for name, of in self.visible_locals(frame)],
        }
        if value is not _nothing:
            record["value"] = number(unwrapped(value) if event in ("return", "yield") else value)
        return record

    def visible_locals(self, frame: Any) -> list:
        code = frame.f_code
        known = self.readers.get(id(code))
        if known is None:
            known = self.readers[id(code)] = code, reader_of(code)  # the code is held, so that its id stays its own
        return visible(known[1](frame), bool(code.co_flags & CO_OPTIMIZED))

    def depth(self, frame: Any) -> int:
        depth = 0
        while frame is not None and frame.f_code is not self.base:
            depth, frame = depth + 1, frame.f_back
        return depth

    def next_action(self, record: Dict[str, Any]) -> Optional[List[str]]:
        self.report.line(record)
        action = next(self.actions, None)
        if action is None and not self.finish:
            self.report.end({"end": "exhausted"})
        return action


class PdbReplay(Debugger):
    """bdb with every frame of the program traced. What it does not do by itself: it stops nowhere outside of the program,
    and it stops at the call that the session begins with."""

    def stop_here(self, frame: Any) -> bool:
        return in_scope(frame) and bdb.Bdb.stop_here(self, frame)

    def break_anywhere(self, frame: Any) -> bool:
        return in_scope(frame)

    def dispatch_call(self, frame: Any, arg: Any) -> Any:
        if in_scope(frame) and self.begins(frame):
            self.interact("call", frame)
            return self.trace_dispatch
        return bdb.Bdb.dispatch_call(self, frame, arg)

    def dispatch_return(self, frame: Any, arg: Any) -> Any:
        trace = bdb.Bdb.dispatch_return(self, frame, arg)
        if id(frame) == self.first and leaving(frame, -1) != "yield":
            self.closed = True
        return trace

    def user_call(self, frame: Any, args: Any) -> None:
        if self.stop_here(frame):  # as pdb: the call of a traced frame is not yet a stop
            self.interact("call", frame)

    def user_line(self, frame: Any) -> None:
        self.interact("line", frame)

    def user_return(self, frame: Any, value: Any) -> None:
        self.interact("return", frame, value)

    def user_exception(self, frame: Any, info: Any) -> None:
        if in_scope(frame):
            self.interact("exception", frame, info[1])

    def interact(self, event: str, frame: Any, value: Any = _nothing) -> None:
        self.clear_all_breaks()
        action = self.next_action(self.record(event, frame, value))
        if action is None:
            self.wait()
            return
        kind, text = action
        if kind == "step_into":
            self.set_step()
        elif kind == "step_over":
            self.set_next(frame)
        elif kind == "step_return":
            self.set_return(frame)
        else:
            if kind == "breakpoint":
                for line in self.lines.get(text, ()):
                    self.breaks.setdefault(child.PROGRAM, []).append(line)
                    bdb.Breakpoint(child.PROGRAM, line)
            self.set_continue()


_RETURNS = ("RETURN_VALUE", "RETURN_CONST")
_YIELDS = ("YIELD_VALUE",)


def leaving(frame: Any, thrown: int) -> str:
    """What a return event is. thrown is where the frame's last event was, if that was an exception: one that is thrown
    into a suspended frame finds it at its yield, and does not make it yield."""
    code, at = frame.f_code.co_code, frame.f_lasti
    if at < 0:
        return "unwind"
    here = dis.opname[code[at]]
    if here in _RETURNS:
        return "return"
    if not frame.f_code.co_flags & SUSPENDABLE or at == thrown:
        return "unwind"
    before = dis.opname[code[at - 2]] if at >= 2 else ""
    after = dis.opname[code[at + 2]] if at + 2 < len(code) else ""
    if here in _YIELDS or here == "RESUME" and before in _YIELDS or after == "YIELD_FROM":
        return "yield"
    return "unwind"


class Stretch:
    """A run of a frame, from its call or resume to its return, yield or unwind."""

    __slots__ = ("parent", "shown", "hidden", "thrown")

    def __init__(self, parent: Optional["Stretch"]) -> None:
        self.parent = parent
        self.shown = False  # something of it is a state
        self.hidden = False  # the collector ends the frame with it
        self.thrown = -1


CLOSING = ("return", "yield", "unwind")


class TreeReplay(Debugger):
    """Stops where the tree's rule says (docs/semantics.md): an action waits for any state, for a state of one stretch, for
    the end of one stretch, or for lines.

    A suspendable frame that is entered is a state only if it is not the collector that enters it to end it. That is known at
    the next event, so the state is kept until then, and the action that follows it is taken then."""

    def __init__(self, *args: Any) -> None:
        Debugger.__init__(self, *args)
        self.live: Dict[int, Stretch] = {}  # by id of frame: that of a running frame is its own
        self.waits_for: Callable[[Stretch, str, int], bool] = lambda stretch, event, line: False
        self.kept: Optional[Tuple[Stretch, Optional[Dict[str, Any]]]] = None

    def dispatch_call(self, frame: Any, arg: Any) -> Any:
        if not in_scope(frame):
            return None
        self.settle()
        stretch = self.live[id(frame)] = Stretch(self.caller(frame))
        event = "call" if frame.f_trace is None else "resume"
        if self.begins(frame):
            stretch.shown = True
            self.act(stretch, event, self.record(event, frame))
        elif frame.f_code.co_flags & SUSPENDABLE:
            stops = self.waits_for(stretch, event, 0)
            self.kept = stretch, self.record(event, frame) if stops else None
        else:
            self.state(stretch, event, frame)
        return self.trace_dispatch

    def caller(self, frame: Any) -> Optional[Stretch]:
        """The stretch of the nearest caller in the program that has a state."""
        frame = frame.f_back
        while frame is not None and frame.f_code is not self.base:
            stretch = self.live.get(id(frame)) if in_scope(frame) else None
            if stretch is not None and stretch.shown and not stretch.hidden:
                return stretch
            frame = frame.f_back
        return None

    def dispatch_line(self, frame: Any) -> Any:
        self.settle()
        stretch = self.live.get(id(frame))
        if stretch is not None:
            stretch.thrown = -1
            self.state(stretch, "line", frame)
        return self.trace_dispatch

    def dispatch_exception(self, frame: Any, arg: Any) -> Any:
        stretch = self.live.get(id(frame))
        if stretch is None:
            return self.trace_dispatch
        kind, value, traceback = arg
        if kind is GeneratorExit and self.kept is not None and self.kept[0] is stretch and collector_closes(frame):
            stretch.hidden = True
        self.settle()
        stretch.thrown = frame.f_lasti
        internal = kind is StopIteration and traceback is None and frame.f_code.co_flags & SUSPENDABLE
        if not internal:
            self.state(stretch, "exception", frame, value)
        return self.trace_dispatch

    def dispatch_return(self, frame: Any, arg: Any) -> Any:
        self.settle()
        stretch = self.live.pop(id(frame), None)
        if stretch is not None:
            event = leaving(frame, stretch.thrown)
            self.state(stretch, event, frame, _nothing if event == "unwind" else arg)
            if id(frame) == self.first and event != "yield":
                self.closed = True
        return self.trace_dispatch

    def settle(self) -> None:
        if self.kept is None:
            return
        (stretch, record), self.kept = self.kept, None
        if stretch.hidden:
            return
        stretch.shown = True
        if record is not None:
            self.act(stretch, record["event"], record)

    def state(self, stretch: Stretch, event: str, frame: Any, value: Any = _nothing) -> None:
        if stretch.hidden:
            return
        stretch.shown = True
        if self.waits_for(stretch, event, frame.f_lineno or 0):
            self.act(stretch, event, self.record(event, frame, value))

    def act(self, stretch: Stretch, event: str, record: Dict[str, Any]) -> None:
        action = self.next_action(record)
        kind, text = action or ("continue", "")
        level = stretch
        if event in CLOSING and kind in ("step_over", "step_return"):
            # Nothing of the stretch is left: over goes on as into does, return to what its caller does next.
            if kind == "step_over" or stretch.parent is None:
                kind = "step_into"
            else:
                kind, level = "step_over", stretch.parent
        if kind == "step_into":
            self.waits_for = lambda of, event, line: True
        elif kind == "step_over":
            self.waits_for = lambda of, event, line: of is level
        elif kind == "step_return":
            self.waits_for = lambda of, event, line: of is level and event in CLOSING
        elif kind == "breakpoint":
            lines = frozenset(self.lines.get(text, ()))
            self.waits_for = lambda of, event, line: event == "line" and line in lines
        else:
            self.waits_for = lambda of, event, line: False

    def debug(self, call: Callable[[], Any]) -> Any:
        try:
            return Debugger.debug(self, call)
        finally:
            self.settle()


class Bare:
    """No debugger: a trace function that does nothing but list the events, for telling whether a debugger, by what it
    holds and reads, changed the program."""

    def __init__(self, session: Session, report: Report, raw: Optional[List[str]], base: Any) -> None:
        self.raw = [] if raw is None else raw

    def debug(self, call: Callable[[], Any]) -> Any:
        raw, program = self.raw, child.PROGRAM

        def trace(frame: Any, event: str, arg: Any) -> Any:
            if frame.f_code.co_filename != program:
                return None
            raw.append("%s%d" % (event[0], frame.f_lineno or 0))
            return trace

        sys.settrace(trace)
        try:
            return call()
        finally:
            sys.settrace(None)


class Untraced:
    """Nobody watches."""

    def __init__(self, session: Session, report: Report, raw: Optional[List[str]], base: Any) -> None:
        pass

    def debug(self, call: Callable[[], Any]) -> Any:
        return call()


DEBUGGERS: Dict[str, Any] = {PDB: PdbReplay, TREE: TreeReplay, BARE: Bare, NONE: Untraced}

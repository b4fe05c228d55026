"""The standard library's debugger, told by a list of actions what to do at each stop: what recorded transitions are compared
with. Every decision to stop is bdb's.
"""
import bdb
import dis
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import child
import script
from frames import CO_OPTIMIZED, SUSPENDABLE, reader_of
from recorder import unwrapped, visible
from report import Report, scalar

nothing = object()


class Session(NamedTuple):
    case: child.Case
    semantics: str
    start: int  # calls and resumes of the program's frames before the one where the session begins
    actions: List[List[str]]  # kind, argument
    finish: bool  # go on to the program's end after the last action, and list all events that came


def in_scope(frame: Any) -> bool:
    return frame.f_code.co_filename == child.PROGRAM


def physical_lines(case: child.Case) -> Dict[str, List[int]]:
    """The numbers of the lines that have a text: where a breakpoint on that text is set."""
    lines: Dict[str, List[int]] = {}
    texts = [(1, case.program.decode())]
    if case.entry and case.entry != script.ENTRY:
        texts.append((case.line, case.wrapper))
    for first, text in texts:
        for number, line in enumerate(text.split("\n"), first):
            lines.setdefault(line, []).append(number)
    return lines


class Debugger(bdb.Bdb):
    """What both have: the scope, the beginning of a session, and reports of stops."""

    # From 3.13 bdb keeps the frame of the last event here, for stepping by instructions, which is not done. With the frame it
    # would keep all that is in it from being finalized.
    enterframe: Any = property(lambda self: None, lambda self, frame: None)

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

    def record(self, event: str, frame: Any, value: Any = nothing) -> Dict[str, Any]:
        """What a stop shows."""
        code, number = frame.f_code, self.report.value
        record = {
            "event": event, "line": frame.f_lineno or 0, "function": scalar(code.co_name), "depth": self.depth(frame),
            "closed": self.closed, "locals": [[scalar(name), number(of)] for name, of in self.visible_locals(frame)],
        }
        if value is not nothing:
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

    def interact(self, event: str, frame: Any, value: Any = nothing) -> None:
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

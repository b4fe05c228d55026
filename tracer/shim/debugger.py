"""Real debuggers in the place of the recorder: they stop while the program runs, and say where.

What enters: a case and lists of actions. What leaves: JSON lines in the shared mapping, one per stop (docs/wire.md), and
an end for each list.

This module is loaded by a server that is asked for a session, never by one that only traces.
"""
import bdb
import os
import sys
from typing import Any, Callable, Dict, List, Optional

import child
from pdb_replay import PdbReplay, Session
from report import Report, scalar
from tree_replay import TreeReplay

_exit = os._exit


def debug(setting: child.Setting, sessions: List[Session], nonce: bytes, late: Callable[[], bool]) -> None:
    """The child's side. It never returns: it ends after the last session, or after one that leaves the others too little time
    or room, or a world that is not as it was, and then says that there are others."""
    report = Report(setting, nonce, len(sessions))
    os.register_at_fork(after_in_child=report.forked)
    world = setting.world
    if len(sessions) > 1:
        world.begin()
    for number, session in enumerate(sessions):
        if number and (late() or report.crowded() or not world.restore()):
            report.rest()
        bdb.Breakpoint.next, bdb.Breakpoint.bplist, bdb.Breakpoint.bpbynumber = 1, {}, [None]
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


DEBUGGERS: Dict[str, Any] = {"pdb": PdbReplay, "tree": TreeReplay, "bare": Bare, "none": Untraced}

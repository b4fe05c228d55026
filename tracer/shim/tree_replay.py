"""A debugger that stops by the tree's rule. It states the rule a second time, for a program that runs, and knows nothing of
tables or indices.
"""
from typing import Any, Callable, Dict, Optional, Tuple

from collector import collector_closes
from frames import SUSPENDABLE
from pdb_replay import Debugger, in_scope, leaving, nothing


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
        while frame is not None:
            if frame.f_code is self.base:
                return None
            stretch = self.live.get(id(frame)) if in_scope(frame) else None
            if stretch is not None and stretch.shown and not stretch.hidden:
                return stretch
            frame = frame.f_back
        # Up to 3.9, what is thrown through a yield from is under the frame that delegates, which is suspended, and the stack
        # ends there. It is the frame that runs that has thrown it.
        return next((s for s in reversed(list(self.live.values())) if s.shown and not s.hidden), None)

    def stretch_of(self, frame: Any) -> Stretch:
        """A frame that is suspended in a yield from goes on without a call when what is thrown into it ends the inner one."""
        stretch = self.live.get(id(frame))
        if stretch is None:
            stretch = self.live[id(frame)] = Stretch(self.caller(frame))
        return stretch

    def dispatch_line(self, frame: Any) -> Any:
        self.settle()
        stretch = self.stretch_of(frame)
        stretch.thrown = -1
        self.state(stretch, "line", frame)
        return self.trace_dispatch

    def dispatch_exception(self, frame: Any, arg: Any) -> Any:
        stretch = self.stretch_of(frame)
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
        stretch = self.stretch_of(frame)
        event = leaving(frame, stretch.thrown)
        del self.live[id(frame)]
        self.state(stretch, event, frame, nothing if event == "unwind" else arg)
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

    def state(self, stretch: Stretch, event: str, frame: Any, value: Any = nothing) -> None:
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

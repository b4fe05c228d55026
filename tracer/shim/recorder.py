"""The sys.settrace recorder: what a call of the program does, as the records of docs/wire.md.

What enters: code of the program, known by its file name, as it runs. What leaves: records in a shared mapping whose
first eight bytes count the bytes of whole records, so that whatever ends the process, what was recorded is there.

It holds no frame and no instance of a user's class, runs no user code, and raises nothing into the program. A frame's
state lives in frame.f_trace, as the object that the frame's trace method is bound to, so a frame keeps its number while
it is suspended, and nothing is kept of frames that are gone.
"""
import gc
import sys
from types import MethodType
from typing import Any, Callable, Dict, Optional, Tuple

from arguments import Arguments
from collector import collector_closes
from frames import (CO_ASYNC_GENERATOR, CO_OPTIMIZED, NOISE, RESUME, RETURN_OPS, SUSPENDABLE, YIELD_FROM, YIELD_VALUE, code_flags,
                    mentions_tracing, reader_of)
from render_names import BUILTINS
from writer import SMALL, Writer, uvarint

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach
_settrace, _gettrace = sys.settrace, sys.gettrace

CALL, RESUMED, LINE, RETURN, YIELD, UNWIND, EXCEPTION = range(0x11, 0x18)
STOP_ITERATION, GENERATOR_EXIT, TRACEBACK, FOREIGN_CALLER, GENERATOR_CALLER, COLLECTOR = 1, 2, 4, 8, 16, 32
GENERATOR = 1  # of the code flags
SMALL_COUNT = len(SMALL)

# 3.8 lets a program that has met the recursion limit run 50 frames past it and then aborts the process. There the
# error must go out of the tracer, which ends the tracing; later versions go on, and the event is counted as lost.
STRICT_RECURSION = sys.version_info < (3, 9)


class FrameState:
    """What is known of one frame. The values held are exact scalars and tuples of them, never a container that can
    change or an object that can notice."""

    __slots__ = ("number", "head", "depth", "code", "held", "numbers", "live", "thrown", "flags", "resumed")

    def __init__(self, number: int, code: "CodeState") -> None:
        self.number = number
        self.head = uvarint(number)
        self.depth = 0
        self.code = code
        self.held: Dict[str, Any] = {}
        self.numbers: Dict[str, int] = {}  # name -> value number + 1, or 0 when it is not bound; in order of binding
        self.live = 0  # names that are bound
        self.thrown = -1  # f_lasti of the last event, when that was an exception
        self.flags = 0  # COLLECTOR, once the collector closes the frame
        self.resumed = -1  # where the flags of the last resume are, until the next event


class CodeState:
    __slots__ = ("code", "number", "flags", "ops", "read", "optimized", "hidden")

    def __init__(self, code: Any, number: int, flags: int) -> None:
        self.code = code  # held, so that its id stays its own
        self.number = number
        self.flags = flags
        self.ops = code.co_code
        self.read = reader_of(code)
        self.optimized = bool(code.co_flags & CO_OPTIMIZED)
        self.hidden = not self.optimized or any(not n.isidentifier() for n in code.co_varnames)


class Recorder:
    """Traces one call. Made by the server, of whose children each has it anew: what it then costs is paid once."""

    def __init__(self, program: str, writer: Writer, number: Callable[[Any], int], events: int) -> None:
        """program is the co_filename of what is recorded."""
        self.over: Callable[[], None] = lambda: None  # called when there would be more than events; must not return
        self.count = 0
        self.lost = 0
        self.alive = True
        self.base: Any = None
        self.arguments: Any = None  # of the call, once it is known
        self._trace = _tracer(self, program, writer, number, events)

    def run(self, call: Callable[[], Any], base: Optional[Any], arguments: Arguments, traced: bool) -> Any:
        """call(), under the tracer if it is to be traced: with or without, it has the same frames below it. Depth is
        counted from the frame of the code base, else from this one."""
        self.base = base or Recorder.run.__code__
        self.arguments = arguments
        trace = self._trace if traced else None
        _settrace(trace) if traced else arguments.watch()
        try:
            return call()
        finally:
            self.alive = self.alive and _gettrace() is trace
            _settrace(None) if traced else arguments.unwatch()


def _tracer(rec: Recorder, program: str, writer: Writer, number: Callable[[Any], int], limit: int) -> Callable:
    codes: Dict[int, CodeState] = {}
    frames = 0
    put, put_name = writer.put, writer.name
    missing = object()
    names_of: Dict[str, bytes] = {}
    small = SMALL

    def enter(frame: Any, event: str, arg: Any) -> Optional[Callable]:
        nonlocal frames
        code = frame.f_code
        if event != "call" or code.co_filename != program:
            return None
        try:
            trace = frame.f_trace
            again = type(trace) is MethodType and trace.__func__ is step
            if again:
                state = trace.__self__
                tag = RESUMED
            else:
                known = codes.get(id(code))
                if known is None:
                    if mentions_tracing(code):
                        rec.alive = False
                    flags = code_flags(code)
                    known = codes[id(code)] = CodeState(code, writer.code(code.co_name, code.co_firstlineno, flags), flags)
                if rec.arguments.caller is not None:
                    rec.arguments.offer(frame)
                state = FrameState(frames, known)
                trace = MethodType(step, state)
                tag = CALL
            place, flags = locate(frame, state)
            if not again:
                place += uvarint(state.code.number)
            at = record(state, frame, tag, flags, place)
            if again:
                state.resumed = at + 1
            else:
                frames += 1
            state.thrown = -1
            return trace
        except BaseException as error:  # of a limit that was met here, or of a signal handler that ran here
            rec.lost += 1
            if STRICT_RECURSION and type(error) is RecursionError:
                raise
            return None

    def locate(frame: Any, state: FrameState) -> Tuple[bytes, int]:
        """depth and back + 1, and the flags that tell of the caller."""
        base, back = rec.base, frame.f_back
        flags, depth, found, foreign = 0, 1, 0, False
        if back is not None and back.f_code.co_flags & SUSPENDABLE:
            flags = GENERATOR_CALLER
        first = back
        while back is not None and back.f_code is not base:
            trace = back.f_trace
            if type(trace) is MethodType and trace.__func__ is step:
                caller = trace.__self__
                if not found:
                    found, foreign = caller.number + 1, back is not first
                if not caller.code.flags & GENERATOR:  # one of these may be a caller without being called itself
                    depth += caller.depth
                    break
            depth += 1
            back = back.f_back
        else:
            foreign = foreign or not found and back is not first
        if foreign:
            flags |= FOREIGN_CALLER
        state.depth = depth
        return uvarint(depth) + uvarint(found), flags

    def step(state: FrameState, frame: Any, event: str, arg: Any) -> None:
        try:
            if event == "line":
                record(state, frame, LINE, state.flags, b"")
                state.thrown = -1
            elif event == "return":
                leave(state, frame, arg)
                state.thrown = -1
            elif event == "exception":
                kind, value, traceback = arg
                flags = state.flags
                if kind is StopIteration:
                    flags |= STOP_ITERATION
                elif kind is GeneratorExit:
                    flags |= GENERATOR_EXIT
                    if state.resumed >= 0 and collector_closes(frame):
                        writer.patch(state.resumed, COLLECTOR)
                        state.flags = COLLECTOR
                        flags |= COLLECTOR
                if traceback is not None:
                    flags |= TRACEBACK
                state.thrown = frame.f_lasti
                record(state, frame, EXCEPTION, flags, uvarint(number(value)))
            state.resumed = -1
        except BaseException as error:
            rec.lost += 1
            if STRICT_RECURSION and type(error) is RecursionError:
                raise

    def leave(state: FrameState, frame: Any, arg: Any) -> None:
        """A return event: the instruction at f_lasti tells a return from a yield and from an unwind. An exception that
        is thrown into a suspended frame finds and leaves it at its yield, so a yield must have moved since."""
        ops, at = state.code.ops, frame.f_lasti
        op = ops[at] if at >= 0 else -1
        if op in RETURN_OPS:
            record(state, frame, RETURN, state.flags, uvarint(number(arg)))
        elif state.code.flags & GENERATOR and at >= 0 and at != state.thrown and (
                op == YIELD_VALUE or op == RESUME and ops[at - 2] == YIELD_VALUE
                or at + 2 < len(ops) and ops[at + 2] == YIELD_FROM):
            if state.code.code.co_flags & CO_ASYNC_GENERATOR:
                arg = unwrapped(arg)
            record(state, frame, YIELD, state.flags, uvarint(number(arg)))
            return
        else:
            record(state, frame, UNWIND, state.flags, b"")
        state.held = state.numbers = {}

    def record(state: FrameState, frame: Any, tag: int, flags: int, middle: bytes) -> int:
        """Write an event, with what changed of the frame's locals since its previous one; its offset."""
        if rec.count >= limit:
            rec.over()
        code = state.code
        names = code.read(frame)
        if code.hidden:
            names = visible(names, code.optimized)
        held, numbers = state.held, state.numbers
        changes = []
        for name, value in names:
            if held.get(name, missing) is value:
                continue
            kind = type(value)
            now = number(value) + 1
            if kind is int or kind is str or value is None or kind is bool or kind is float:
                held[name] = value
            elif name in held:
                del held[name]
            before = numbers.get(name)
            if before != now:
                if not before:
                    state.live += 1
                numbers[name] = now
                changes.append((name, now))
        if state.live != len(names):
            gone(state, names, changes)
        if len(changes) > 1 and tag != CALL:
            order = {name: i for i, name in enumerate(numbers)}
            changes.sort(key=lambda change: order[change[0]])
        line = frame.f_lineno or 0
        out = bytearray((tag, flags))
        out += state.head
        out += small[line] if line < SMALL_COUNT else uvarint(line)
        out += middle
        out.append(len(changes)) if len(changes) < 0x80 else out.extend(uvarint(len(changes)))
        for name, now in changes:
            known = names_of.get(name)
            if known is None:
                known = names_of[name] = uvarint(put_name(name))
            out += known
            out += small[now] if now < SMALL_COUNT else uvarint(now)
        at = put(out)
        rec.count += 1
        return at

    def gone(state: FrameState, names: Any, changes: list) -> None:
        bound = {name for name, _ in names}
        for name, before in state.numbers.items():
            if before and name not in bound:
                state.numbers[name] = 0
                state.held.pop(name, None)
                state.live -= 1
                changes.append((name, 0))

    return enter


_flags_of, _name_of = type.__dict__["__flags__"].__get__, type.__dict__["__name__"].__get__
_referents = gc.get_referents
HEAP_TYPE = 1 << 9


def unwrapped(value: Any) -> Any:
    """What an asynchronous generator yields comes in a box of a type that has no way to open it."""
    kind = type(value)
    if _name_of(kind) == "async_generator_wrapped_value" and not _flags_of(kind) & HEAP_TYPE:
        for inside in _referents(value):
            return inside
    return value


def visible(names: Any, optimized: bool) -> list:
    """The locals that are shown: what has an identifier for a name, and was not put there by the import system."""
    if optimized:
        return [pair for pair in names if pair[0][0] != "."]
    return [pair for pair in names if type(pair[0]) is str and pair[0].isidentifier() and pair[0] not in NOISE]

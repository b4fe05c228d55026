"""Whether a GeneratorExit was thrown by the collector or by the program.

A generator that nobody refers to any more is closed by its finalizer, for which the interpreter gives it back one
reference; a program that calls close() has one of its own, in a variable or on its stack, besides. So the references to
the generator tell, or to the one that delegates to it, and so on outwards. What such a count is when the collector
closes, the interpreter is asked once, by having one closed.

Two cases the count tells wrongly, and the instruction that the caller is at tells them: from 3.12, make().close() leaves a
reference to nobody but the call, and a generator in a reference cycle has some when gc.collect() closes it. So a call without
arguments of what is named close is the program's, and one of collect the collector's. Automatic collection is off.

What is not told: the close of a generator that only a bound method holds, as in c = make().close; c().
"""
import gc
import sys
from opcode import opmap
from types import AsyncGeneratorType, CoroutineType, FrameType, GeneratorType
from typing import Any, List, Optional

from render_names import BUILTINS

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach
_get_referrers, _getrefcount = gc.get_referrers, sys.getrefcount

_KINDS = {
    GeneratorType: (GeneratorType.gi_frame, GeneratorType.gi_running, GeneratorType.gi_yieldfrom),
    CoroutineType: (CoroutineType.cr_frame, CoroutineType.cr_running, CoroutineType.cr_await),
    AsyncGeneratorType: (AsyncGeneratorType.ag_frame, AsyncGeneratorType.ag_running, AsyncGeneratorType.ag_await),
}
_CALLS = frozenset(opmap[name] for name in ("CALL", "CALL_FUNCTION", "CALL_METHOD") if name in opmap)
_BETWEEN = frozenset(opmap[name] for name in ("CACHE", "PRECALL", "PUSH_NULL") if name in opmap)
_EXTENDED = opmap["EXTENDED_ARG"]
# What loads a function by its name, and by how many bits its argument is more than an index of co_names.
_SHIFTS = {opmap[name]: shift for name, shift in (
    ("LOAD_NAME", 0), ("LOAD_METHOD", 0), ("LOAD_GLOBAL", int(sys.version_info >= (3, 11))),
    ("LOAD_ATTR", int(sys.version_info >= (3, 12)))) if name in opmap}
_KIND_IDS = frozenset(map(id, _KINDS))


def _owner(frame: Any) -> Optional[Any]:
    """The generator that frame belongs to."""
    for found in _get_referrers(frame):
        kind = type(found)
        if id(kind) in _KIND_IDS and _KINDS[kind][0].__get__(found) is frame:
            return found
    return None


def _delegating(generator: Any, frame: Any) -> Optional[Any]:
    """The suspended generator that delegates to this one. Up to 3.10 it is its frame that refers to what it delegates to."""
    referrers = _get_referrers(generator)
    while referrers:
        found = referrers.pop()
        if type(found) is FrameType and found is not frame:
            found = _owner(found)
        kind = type(found)
        if id(kind) not in _KIND_IDS or found is generator:
            continue
        frame_of, running, delegates = _KINDS[kind]
        if delegates.__get__(found) is generator or running.__get__(found) and not _calls(frame_of.__get__(found), frame):
            return found
    return None


def _calls(caller: Any, frame: Any) -> bool:
    while frame is not None:
        frame = frame.f_back
        if frame is caller:
            return True
    return False


def _references(frame: Any) -> int:
    generator = _owner(frame)
    for _ in range(100):
        outer = _delegating(generator, frame)
        if outer is None:
            break
        generator = outer
    return _getrefcount(generator)


def _called(frame: Any) -> str:
    """The name of what a frame is calling, where it was loaded by that name just before; else empty."""
    ops, at = frame.f_code.co_code, frame.f_lasti
    if at < 0 or ops[at] not in _CALLS:
        return ""
    at -= 2
    while at >= 0 and ops[at] in _BETWEEN:
        at -= 2
    shift = _SHIFTS.get(ops[at], -1) if at >= 0 else -1
    if shift < 0:
        return ""
    arg = ops[at + 1]
    if at >= 2 and ops[at - 2] == _EXTENDED:
        arg |= ops[at - 1] << 8
    names = frame.f_code.co_names
    return names[arg >> shift] if arg >> shift < len(names) else ""


def _ask() -> int:
    """The count when the collector closes a generator."""
    counts: List[int] = []

    def generator() -> Any:
        try:
            yield
        finally:
            pass

    code = generator.__code__

    def trace(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code is not code:
            return None
        if event == "exception":
            counts.append(_references(frame))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        next(generator())
    finally:
        sys.settrace(before)
    return min(counts, default=0)


_COLLECTED = _ask()


def collector_closes(frame: Any) -> bool:
    """Of a frame that a GeneratorExit has just been thrown into."""
    name = _called(frame.f_back) if frame.f_back is not None else ""
    if name == "close" or name == "collect":
        return name == "collect"
    return _references(frame) <= _COLLECTED

"""The mutable arguments of the call, as they are after it: the same digest whether the call is traced or not.

What enters: the first frame of the program that the call's own frame calls, at its beginning. The recorder hands it over in
a traced run; in an untraced one a profile function waits for it, and takes itself away. What is held of it are exact builtin
containers of nothing but such containers and scalars: to hold one then ends no object later than it would have ended.

A program that counts references, or looks at profile functions, could notice. Where its text mentions one of these, nothing
is held in either run, and there is no digest in either.
"""
import sys
from _collections import deque
from typing import Any, Callable, Dict, List, Optional

from frames import reader_of
from render_digest import short_hash
from render_names import BUILTINS
from values import room_after

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach
_setprofile = sys.setprofile

NOTICING = (b"refcount", b"get_ref", b"get_objects", b"profile", b"monitoring", b"__del__", b"weakref", b"finalize", b"ctypes")
KINDS: Dict[int, type] = {id(kind): kind for kind in (list, dict, set, bytearray, deque)}
MOST_NODES = 4096
MOST_HELD = 16
CO_VARARGS, CO_VARKEYWORDS = 0x4, 0x8
WITHOUT_ARGUMENTS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")  # what an argument is made by, not a call


class Arguments:
    """What is held of one call."""

    def __init__(self, caller: Any, filename: str) -> None:
        """caller is the code of the frame that makes the call; None: nothing is to be held."""
        self.caller = caller
        self._filename = filename
        self._held: List[Any] = []

    def offer(self, frame: Any) -> bool:
        """At a frame's call event: whether it was the one that was waited for."""
        back, code = frame.f_back, frame.f_code
        if back is None or back.f_code is not self.caller or code.co_name in WITHOUT_ARGUMENTS:
            return False
        self.caller = None
        try:
            self._take(code, dict(reader_of(code)(frame)))
        except BaseException:  # at a limit: then the call does not get far
            self._held = []
        return True

    def _take(self, code: Any, values: Dict[str, Any]) -> None:
        flags = code.co_flags
        count = code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
        names = code.co_varnames[:count]
        room = MOST_NODES
        for name in names:
            value = values.get(name)
            members = (value,)
            if flags & CO_VARARGS and type(value) is tuple:
                members = value
            elif flags & CO_VARKEYWORDS and name == names[-1]:
                members = tuple(value.values())
            for member in members[:MOST_HELD]:
                room = self._hold(member, room)

    def _hold(self, value: Any, room: int) -> int:
        kind = KINDS.get(id(type(value)))
        if kind is None or len(self._held) == MOST_HELD:
            return room
        left = room - len(value) if kind is bytearray else room_after(value, kind, room)
        if left < 0:
            return room
        self._held.append(value)
        return left

    def watch(self) -> None:
        """Wait for the call without tracing."""
        if self.caller is not None:
            _setprofile(self._profile)

    def _profile(self, frame: Any, event: str, arg: Any) -> None:
        if event == "call" and frame.f_code.co_filename == self._filename and self.offer(frame):
            _setprofile(None)

    def unwatch(self) -> None:
        """After the call, whether or not it came to that frame."""
        if self.caller is not None:
            _setprofile(None)

    def digest(self, render: Callable[[Any], tuple]) -> str:
        if not self._held:
            return ""
        try:
            return short_hash("\n".join([render(value)[0] for value in self._held]).encode("utf-8", "backslashreplace"))
        except (MemoryError, RecursionError):
            return ""


def of_call(program: bytes, caller: Optional[Any], filename: str) -> Arguments:
    if caller is None or any(word in program for word in NOTICING):
        return Arguments(None, filename)
    return Arguments(caller, filename)

"""A program that is run as the script that it is: as module __main__, with a text on its standard input.

What it finds is what `python program.py < input` finds: descriptor 0 is a file, at its beginning, with nothing else in it;
sys.stdin is new, and has what the interpreter's own has; and there are the builtins that module site adds for scripts.
"""
import builtins
import os
import sys
from _io import BufferedReader, FileIO, TextIOWrapper
from _sitebuiltins import Quitter
from atexit import _run_exitfuncs as _run_exit_functions
from functools import partial
from types import ModuleType
from typing import Any, Callable

from render_names import BUILTINS

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach

ENTRY = "<module>"  # of a case whose program is run, as CPython calls the code
MODULE = "__main__"

_open, _write, _seek, _dup2, _close, _unlink = os.open, os.write, os.lseek, os.dup2, os.close, os.unlink
_NAME = "stdin"  # of the file, for as long as it has one, where the kernel makes none without


def load(program: Any, filename: str, text: str) -> Callable[[], None]:
    """What runs the code of a program. It has no frame of its own: a debugger's frame, or the recorder's, is the caller."""
    space = _namespace(filename)
    _feed(text.encode())
    return partial(exec, program, space)


def _namespace(filename: str) -> dict:
    module = ModuleType(MODULE)
    sys.modules[MODULE] = module
    space = module.__dict__
    space.update(__builtins__=builtins, __file__=filename, __cached__=None, __annotations__={})
    for name in ("exit", "quit"):
        setattr(builtins, name, Quitter(name, "Ctrl-D (i.e. EOF)"))
    return space


def _feed(data: bytes) -> None:
    fd = _unnamed()
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[_write(fd, rest):]
        _seek(fd, 0, os.SEEK_SET)
        _dup2(fd, 0)
    finally:
        _close(fd)
    # As the interpreter makes its own, which no universal newlines are for: a carriage return is a character.
    raw = FileIO(0, "rb", closefd=False)
    raw.name = "<stdin>"
    stream = TextIOWrapper(BufferedReader(raw), sys.stdin.encoding, sys.stdin.errors, "\n")
    stream.mode = "r"
    sys.stdin = sys.__stdin__ = stream  # type: ignore[misc]


def conclude() -> None:
    """What an interpreter does at a script's end, as far as it shows: it waits for threads, calls what atexit has, and flushes."""
    for act in (_join, _run_exit_functions, lambda: sys.stdout.flush(), lambda: sys.stderr.flush()):
        try:
            act()
        except BaseException:
            pass


def _join() -> None:
    threading = sys.modules.get("threading")
    if threading is not None:
        while True:
            left = [t for t in threading.enumerate() if not t.daemon and t is not threading.main_thread()]
            if not left:
                break
            left[0].join()


def _unnamed() -> int:
    """A file in the working directory that is gone when its last descriptor is."""
    try:
        return _open(".", os.O_RDWR | os.O_TMPFILE, 0o600)
    except OSError:  # gVisor, and file systems that have no such thing
        fd = _open(_NAME, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        _unlink(_NAME)
        return fd

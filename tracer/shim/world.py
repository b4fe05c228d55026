"""The world of a process that several sessions run in, put back between them as far as that is cheap.

What is not put back (modules that were changed, caches, counters of the library) can make a session another one, which is why
one that does not agree is run again alone before it is judged. What is put back is what programs often change.
"""
import _thread
import bdb
import builtins
import gc
import os
import sys

import child
import pins

_chdir, _collect, _freeze, _threads = os.chdir, gc.collect, gc.freeze, _thread._count
_set_limit, _set_threshold = sys.setrecursionlimit, gc.set_threshold


class World:
    """As it was when it was made."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._streams = sys.stdin, sys.stdout, sys.stderr
        self._limit = sys.getrecursionlimit()
        self._threshold = gc.get_threshold()
        self._builtins = dict(builtins.__dict__)
        self._environment = dict(os.environ)
        self._path = list(sys.path)
        self._threads = _threads()

    def restore(self) -> bool:
        """Put it back, and end what is left of the last session; whether that can be done."""
        try:
            if _threads() > self._threads:
                return False
            sys.stdin, sys.stdout, sys.stderr = self._streams
            _set_limit(self._limit)
            gc.disable()  # as the server does
            _set_threshold(*self._threshold)
            _chdir(self._home)
            sys.path[:] = self._path
            if builtins.__dict__ != self._builtins:
                builtins.__dict__.clear()
                builtins.__dict__.update(self._builtins)
            if os.environ != self._environment:
                os.environ.clear()
                os.environ.update(self._environment)
            sys.modules.pop(child.MODULE, None)
            bdb.Breakpoint.next, bdb.Breakpoint.bplist, bdb.Breakpoint.bpbynumber = 1, {}, [None]
            _collect()
            _freeze()  # what is left is nobody's garbage, and need not be looked through again
            pins.restart()  # last: finalizers read clocks too
            return True
        except BaseException:
            return False

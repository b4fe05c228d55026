"""The world of a process that several runs of a program share, put back between them as far as that is cheap.

What is not put back (modules that were changed, caches, counters of the library) can make a run another one, which is why
one that does not agree is made again alone before it is judged. What is put back is what programs often change.
"""
import _signal
import builtins
import gc
import os
import sys
from typing import Any

import pins
import tidy

_chdir, _collect, _freeze = os.chdir, gc.collect, gc.freeze
_open, _read, _read_at, _close, _READ = os.open, os.read, os.pread, os.close, os.O_RDONLY
_set_limit, _set_threshold = sys.setrecursionlimit, gc.set_threshold
_list, _handler, _timer, _mask = os.listdir, _signal.getsignal, _signal.getitimer, _signal.pthread_sigmask
_umask, _NSIG, _MOST = os.umask, range(1, _signal.NSIG), 1 << 16  # bytes of a list of processes
_parent, _look, _changes = os.getppid, os.fstat, tidy.changes
HELD = range(240, 250)  # descriptors of what is looked at, out of the way of those that programs count on
_TIMERS = _signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF
_HOOKS = ("excepthook", "displayhook", "unraisablehook")


if sys.version_info[:2] == (3, 11):  # before, the shim has no use for ctypes, which programs would see; after, most builtins are immortal
    from ctypes import c_uint64

    def _version(space: dict) -> Any:
        """Where a dict keeps the number of the state that it is in, which no other state of any dict has (PEP 509). To compare what it
        holds would touch every page of that, for the reference counts, and a child has to copy those."""
        return c_uint64.from_address(id(space) + object.__basicsize__ + tuple.__itemsize__)  # after ma_used
else:
    def _version(space: dict) -> Any:
        return None


def _encoded(environ: Any) -> dict:
    """What an environment holds, which is compared much faster as it holds it."""
    return environ._data


class _Process:
    """What of the process itself outlives a run, and is not put back.

    What is looked at is opened once: a path from the root on is dear where an engine's file system is a process, which the kernel
    asks about every user's rights to its root directory, each time.
    """

    def __init__(self, home: str) -> None:
        fds = iter(HELD)

        def held(path: str) -> int:
            fd, opened = next(fds), _open(path, _READ)
            os.dup2(opened, fd, False)
            _close(opened)
            return fd

        parent = _parent()
        self._tasks = held("/proc/self/task")
        self._orphans = held("/proc/%d/task/%d/children" % (parent, parent))
        self._fds = held("/proc/self/fd")
        self.home = held(home)
        self._places = [held(place) for place in tidy.places()]

    def now(self) -> tuple:
        """Threads, processes, also those that were given to the server, descriptors, signals, timers, files."""
        mask = _umask(0o22)
        _umask(mask)
        return ([(task, self._children(task)) for task in _list(self._tasks)], _read_at(self._orphans, _MOST, 0), mask,
                _mask(_signal.SIG_BLOCK, ()), [_handler(number) for number in _NSIG], [_timer(which) for which in _TIMERS],
                _list(self._fds), _changes(_look, self._places))

    def _children(self, task: str) -> bytes:
        """Processes that a thread has made, or whose parent it is now."""
        fd = _open(task + "/children", _READ, dir_fd=self._tasks)
        found = _read(fd, _MOST)
        _close(fd)
        return found


class World:
    """As it was when it was made: before the fork, so that a process has less to copy."""

    def __init__(self, home: str, module: str) -> None:
        """module is the name of the program's."""
        self._home = home
        self._module = module
        self._main = sys.modules["__main__"]
        self._streams = sys.stdin, sys.stdout, sys.stderr
        self._limit = sys.getrecursionlimit()
        self._threshold = gc.get_threshold()
        self._builtins = dict(builtins.__dict__)
        self._version = _version(builtins.__dict__)
        self._builtins_are = self._version and self._version.value
        self._environment = dict(os.environ)
        self._variables = dict(_encoded(os.environ))
        self._lists = [(list_, list(list_)) for list_ in (sys.path, sys.meta_path, sys.path_hooks, sys.argv)]
        self._hooks = {name: getattr(sys, name) for name in _HOOKS}
        self._process: Any = None
        self._before: tuple = ()

    def begin(self) -> None:
        """In the process, before its first run: open what is looked at after each."""
        self._process = _Process(self._home)
        self._before = self._process.now()

    def restore(self) -> bool:
        """Put it back, and end what is left of the last session; whether that can be done."""
        try:
            if self._process.now() != self._before:
                return False
            sys.stdin, sys.stdout, sys.stderr = self._streams
            sys.__stdin__ = self._streams[0]  # type: ignore[misc]
            _set_limit(self._limit)
            gc.disable()  # as the server does
            _set_threshold(*self._threshold)
            _chdir(self._process.home)
            for now, before in self._lists:
                now[:] = before
            sys.__dict__.update(self._hooks)
            self._restore_builtins()
            if _encoded(os.environ) != self._variables:
                os.environ.clear()
                os.environ.update(self._environment)
            sys.modules.pop(self._module, None)
            sys.modules["__main__"] = self._main
            _collect()
            sys.stdout.flush()  # what finalizers printed; it fails where the program closed it
            sys.stderr.flush()
            _freeze()  # what is left is nobody's garbage, and need not be looked through again
            pins.restart()  # last: finalizers read clocks too
            return True
        except BaseException:
            return False

    def _restore_builtins(self) -> None:
        version = self._version
        if version and version.value == self._builtins_are:
            return
        if builtins.__dict__ != self._builtins:
            builtins.__dict__.clear()
            builtins.__dict__.update(self._builtins)
        self._builtins_are = version and version.value

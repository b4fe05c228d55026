"""Children that are forked ahead, and wait for their job.

A fork makes every page of the server's copy-on-write, and what the server then touches it copies. Forked some at a time,
the children share that cost. Until its job comes a child runs no code but this shim's, as the server's user: what runs
beside it can neither signal nor trace it.
"""
import os
from typing import Any, Callable, Dict, NamedTuple, NoReturn

import child
from channel import write_all

AHEAD = 4  # more would find their caches cold when their turn comes


class Waiting(NamedTuple):
    """The server's ends of a child's pipes."""
    pid: int
    job: int  # to write: its job, then a nonce for each further case
    done: int  # to read: child.BEGUN and child.ENDED
    out: int
    err: int

    def close(self) -> None:
        for fd in self[1:]:
            os.close(fd)


class Nursery:
    def __init__(self, be_child: Callable[[], NoReturn], ground: Any) -> None:
        """be_child is run in each fork, when its descriptors are in place; it never returns. ground is the server's."""
        self._be_child = be_child
        self._ground = ground
        self._ahead = AHEAD if ground.uid >= 0 else 1  # nothing waits beside a program that could stop it
        self._waiting: Dict[int, Waiting] = {}

    def __contains__(self, pid: int) -> bool:
        return pid in self._waiting

    def give(self, job: bytes) -> Waiting:
        """A child that has the job."""
        while True:
            if not self._waiting:
                self._fork_some()
            given = self._waiting.pop(next(iter(self._waiting)))
            try:
                write_all(given.job, len(job).to_bytes(4, "little") + job)
                return given
            except BrokenPipeError:  # it is gone: the kernel may have killed it for memory
                given.close()

    def gone(self, pid: int) -> None:
        """A child that was reaped while it waited."""
        self._waiting.pop(pid).close()

    def dismiss(self) -> None:
        """End all: they are not as the next ones should be."""
        for waiting in self._waiting.values():
            waiting.close()
            os.waitpid(waiting.pid, 0)
        self._waiting.clear()

    def _fork_some(self) -> None:
        for _ in range(self._ahead):
            job, done, out, err = os.pipe(), os.pipe(), os.pipe(), os.pipe()
            pid = os.fork()
            if pid == 0:
                try:
                    child.confine(self._ground, job[0], done[1], out[1], err[1])
                    self._be_child()
                except BaseException as error:
                    os.write(2, ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace"))
                finally:
                    os._exit(70)
            for fd in (job[0], done[1], out[1], err[1]):
                os.close(fd)
            self._waiting[pid] = Waiting(pid, job[1], done[0], out[0], err[0])

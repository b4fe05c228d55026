"""Children that wait for their job.

Where programs are a user of their own, the zygote forks some at a time, which share what that costs it. Until its job comes
a child runs no code but this shim's, as the server's user: what runs beside it can neither signal nor trace it.

Where they are the server's user, nothing waits beside a program that could stop it: each child is forked when its job has
come, of the server itself, and inherits what that has seen.
"""
import os
from typing import Dict, List, NamedTuple

import child
import zygote
from channel import write_all
from ground import Failure

AHEAD = 16  # each order costs a fork more than its children


class Waiting(NamedTuple):
    """The server's ends of a child's pipes."""
    pid: int
    job: int  # to write: its job
    done: int  # to read: which of its cases have begun
    out: int
    err: int

    def close(self) -> None:
        for fd in self[1:]:
            os.close(fd)


class Nursery:
    def __init__(self, kind: zygote.Kind) -> None:
        apart = kind.ground.apart
        self._ahead = AHEAD if apart else 1
        self._forker = zygote.Zygote(kind) if apart else Own(kind)
        self._waiting: Dict[int, Waiting] = {}
        self._debugger = False

    def __contains__(self, pid: int) -> bool:
        """Whether it is one of its processes, but for those that were given away."""
        return pid == self._forker.pid or pid in self._waiting

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

    def want_debugger(self) -> None:
        """From now on, the children are to have it loaded."""
        if not self._debugger:
            self._debugger = True
            for waiting in self._waiting.values():
                waiting.close()
                os.waitpid(waiting.pid, 0)
            self._waiting.clear()

    def gone(self, pid: int) -> None:
        """One of its processes was reaped."""
        if pid == self._forker.pid:
            raise Failure("the process that forks the children has ended")
        self._waiting.pop(pid).close()

    def _fork_some(self) -> None:
        ours, theirs = [], []
        for _ in range(self._ahead):
            (job, give), (done, say), (out, write), (err, complain) = os.pipe(), os.pipe(), os.pipe(), os.pipe()
            ours.append((give, done, out, err))
            theirs += [job, say, write, complain]
        for pid, ends in zip(self._forker.fork(theirs, self._debugger), ours):
            self._waiting[pid] = Waiting(pid, *ends)
        for fd in theirs:
            os.close(fd)


class Own:
    """Forks of this process."""

    pid = 0  # there is no other

    def __init__(self, kind: zygote.Kind) -> None:
        self._kind = zygote.Kind(kind.ground, self._be, kind.load_debugger)
        self._be_child = kind.be

    def fork(self, ends: List[int], debugger: bool) -> List[int]:
        if debugger:
            self._kind.load_debugger()
        return [zygote.fork(ends, self._kind)]

    def _be(self) -> None:
        child.leave_server()
        self._kind.ground.unshield()
        self._be_child()

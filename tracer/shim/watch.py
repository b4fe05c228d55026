"""An execution as it is seen from outside: what its process writes, how long it takes, how it ends."""
import os
import select
import signal
import time
from typing import Callable, Dict, List, NamedTuple, Set

import child
from ground import Failure
from nursery import Waiting

TIME, OUTPUT = 2, 3  # why it was killed, as on the wire
CLEAN_TIME = 5.0  # seconds in which what was killed must be gone

monotonic = time.monotonic  # before it is pinned


class Seen(NamedTuple):
    """One case of a process, up to its end or to that of the process."""
    kept: List[bytearray]  # of stdout and stderr, together at most as much as is allowed
    totals: List[int]  # bytes that were written to them
    killed: int  # why; -1: it was not
    begun: bool  # the program, or the debugger's first session
    ended: bool  # the process has, and then:
    status: int  # as wait has it
    cpu: float  # seconds of all its cases


class Watch:
    def __init__(self, wall: float, output: int, kill: Callable[[int], None]) -> None:
        """wall is in seconds, output in bytes. kill ends this process, and every other that programs run in."""
        self._wall, self._output, self._kill = wall, output, kill
        self._wake = _wake_on_death()
        self._poll = select.poll()
        self._poll.register(self._wake, select.POLLIN)
        self._open: Set[int] = set()

    def begin(self, process: Waiting, several: bool) -> None:
        """several: it runs several cases, and says when one is done."""
        os.set_blocking(process.done, False)
        os.set_blocking(process.job, False)  # a program that reads no nonces does not keep the server
        self._open = {process.out, process.err}
        for fd in self._open:
            os.set_blocking(fd, False)
        if several:
            self._open.add(process.done)
        for fd in self._open:
            self._poll.register(fd, select.POLLIN)

    def end(self, process: Waiting) -> None:
        for fd in self._open:
            self._poll.unregister(fd)
        process.close()

    def case(self, process: Waiting) -> Seen:
        """Drain what it writes until it is dead, or has to be killed, or says that the case is done."""
        kept, totals = [bytearray(), bytearray()], [0, 0]
        streams: Dict[int, int] = {process.out: 0, process.err: 1}
        deadline = monotonic() + self._wall
        killed, said = -1, b""
        while True:
            left = deadline - monotonic()
            if left <= 0 and killed < 0:
                killed = TIME
                self._kill(process.pid)
            if left < -CLEAN_TIME:
                raise Failure("a process that cannot be killed")
            for fd, _ in self._poll.poll(max(0, left) * 1000 + 1 if killed < 0 else 100):
                if fd == self._wake:
                    os.read(fd, 4096)
                elif fd == process.done:
                    more = _read(fd, 1)
                    said += more
                    if not more:
                        self._close(fd)
                elif not self._drain(fd, streams[fd], kept, totals):
                    self._close(fd)
            if sum(totals) > self._output and killed < 0:
                killed = OUTPUT
                self._kill(process.pid)
            dead, status, usage = os.wait4(process.pid, os.WNOHANG)
            # Stopped is what the debugger of a child is told, and the child chooses its own.
            dead = dead and not os.WIFSTOPPED(status)
            if dead or killed < 0 and said.endswith(child.ENDED):
                for fd, stream in streams.items():
                    if fd in self._open:
                        self._drain(fd, stream, kept, totals)
                said = said or _read(process.done, 1)
                return Seen(kept, totals, killed, said != b"", bool(dead), status, usage.ru_utime + usage.ru_stime)

    def _close(self, fd: int) -> None:
        self._poll.unregister(fd)
        self._open.discard(fd)

    def _drain(self, fd: int, stream: int, kept: List[bytearray], totals: List[int]) -> bool:
        """Read what is there, up to a pipe's capacity; False at the end of the stream."""
        for _ in range(16):
            try:
                data = os.read(fd, 65536)
            except BlockingIOError:
                return True
            if not data:
                return False
            room = self._output - totals[0] - totals[1]
            totals[stream] += len(data)
            if room > 0:
                kept[stream] += data[:room]
        return True


def _read(fd: int, size: int) -> bytes:
    """What is there; nothing at the end of the stream too."""
    try:
        return os.read(fd, size)
    except BlockingIOError:
        return b""


def _wake_on_death() -> int:
    """A descriptor that can be read when a child has died."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read

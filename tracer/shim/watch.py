"""An execution as it is seen from outside: what its process writes, how long it takes, how it ends."""
import os
import select
import signal
from typing import Callable, Dict, List, NamedTuple, Sequence

import child
from channel import monotonic
from ground import Failure
from nursery import Waiting

TIME, OUTPUT = 2, 3  # why it was killed, as on the wire
CLEAN_TIME = 5.0  # seconds in which what was killed must be gone
PAUSE = 2.0  # milliseconds between two looks at a process that writes little: who watches is woken once where it ends before
MUCH = 4096  # bytes, as many as the smallest pipe holds: who writes them may be waiting
READ = 1 << 16  # bytes, as many as a pipe holds
READS = 16  # at once: a pipe that is filled while it is read ends too


class Seen(NamedTuple):
    """One case of a process, up to the begin of the next or to the end of the process."""
    kept: List[bytes]  # of stdout and stderr, together at most as much as is allowed
    totals: List[int]  # bytes that were written to them
    killed: int  # why; -1: it was not
    begun: bool  # the program, or the debugger's first session
    ended: bool  # the process has, and then:
    status: int  # as wait has it
    cpu: float  # seconds of all its cases


class Stream:
    """What a process writes to one of its streams, and what of that is no case's yet."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.data = bytearray()
        self.dropping = False  # what else comes is counted, and not kept
        self.dropped = 0  # bytes
        self.over = False  # its end was read
        self.found = 0  # bytes, by the last drain

    def drain(self, most: int) -> bool:
        """Read what is there, until more than most bytes are kept; False at the end of the stream."""
        self.found = 0
        for _ in range(READS):
            if self.over or len(self.data) > most and not self.dropping:
                break
            try:
                data = os.read(self.fd, READ)
            except BlockingIOError:
                break
            self.found += len(data)
            if not data:
                self.over = True
            elif self.dropping:
                self.dropped += len(data)
            else:
                self.data += data
        return not self.over

    def cut(self, mark: bytes) -> bytes:
        """Take what comes before the mark, and the mark away. All of it, where there is none."""
        at = self.data.find(mark) if mark else -1
        if at < 0:
            at = len(self.data)
        taken = bytes(self.data[:at])
        del self.data[: at + len(mark)]
        return taken


class Watch:
    def __init__(self, wall: float, output: int, kill: Callable[[int], None]) -> None:
        """wall is in seconds, output in bytes, each of a case. kill ends this process, and every other that programs run in."""
        self._wall, self._output, self._kill = wall, output, kill
        self._wake = _wake_on_death()
        self._poll, self._death = select.poll(), select.poll()
        for poll in (self._poll, self._death):
            poll.register(self._wake, select.POLLIN)

    def begin(self, process: Waiting, nonces: Sequence[bytes]) -> None:
        """Of its cases. Each but the first marks where its output begins by its own."""
        self._process = process
        self._marks = (*nonces[1:], b"")  # by the number of the cases that have begun
        self._streams: Dict[int, Stream] = {fd: Stream(fd) for fd in (process.out, process.err)}
        self._case = 0  # the one that is watched, from 1
        self._said = b""  # child.BEGUN bytes for each that has begun
        self._since = monotonic()  # when the last of them did
        self._killed, self._ended, self._status, self._cpu = -1, False, 0, 0.0
        self._open = {*self._streams, process.done}
        for fd in self._open:
            os.set_blocking(fd, False)
            self._poll.register(fd, select.POLLIN)

    def end(self) -> None:
        for fd in self._open:
            self._poll.unregister(fd)
        self._process.close()

    def case(self) -> Seen:
        """The next one: drain what the process writes until the one after it has begun, or the process is dead, or has to be
        killed."""
        self._case += 1
        while not self._ended and self._begun() <= self._case:
            self._look()
        streams = list(self._streams.values())
        followed = self._begun() > self._case
        if followed:
            for stream in streams:
                stream.drain(self._output)  # up to the mark at least, which was written before that one began
        written = [stream.cut(self._marks[self._case - 1]) for stream in streams]
        if self._killed < 0 and sum(map(len, written)) > self._output:
            followed = False
            self._end_by(OUTPUT)
            while not self._ended:
                self._look()
        totals = [len(text) + (0 if followed else stream.dropped) for text, stream in zip(written, streams)]
        out = written[0][: self._output]
        kept = [out, written[1][: self._output - len(out)]]
        return Seen(kept, totals, -1 if followed else self._killed, self._begun() > 0, not followed, self._status, self._cpu)

    def _look(self) -> None:
        """Wait for something, or for the time to be over, and do what is to be done about it."""
        left = self._since + self._wall - monotonic()
        if left < -CLEAN_TIME:
            raise Failure("a process that cannot be killed")
        rest = max(0, left) * 1000 + 1 if self._killed < 0 else 100
        much = any(stream.found >= MUCH for stream in self._streams.values())
        for fd, _ in not much and self._death.poll(min(rest, PAUSE)) or self._poll.poll(rest):
            if fd == self._wake:
                os.read(fd, 4096)
            elif fd != self._process.done and not self._streams[fd].drain(self._output):
                self._close(fd)
        self._hear()  # before it is judged: what was drained may be another case's
        if self._killed < 0 and self._begun() <= self._case:
            if sum(len(stream.data) for stream in self._streams.values()) > self._output:
                self._end_by(OUTPUT)
            elif monotonic() >= self._since + self._wall:
                self._end_by(TIME)
        dead, status, usage = os.wait4(self._process.pid, os.WNOHANG)
        if dead and not os.WIFSTOPPED(status):  # that is what the debugger of a child is told, and the child chooses its own
            self._ended, self._status, self._cpu = True, status, usage.ru_utime + usage.ru_stime
            self._hear()
            for stream in self._streams.values():
                stream.drain(self._output)

    def _end_by(self, why: int) -> None:
        self._killed = why
        for stream in self._streams.values():
            stream.dropping = True
        if self._process.done in self._open:
            self._close(self._process.done)
        if not self._ended:
            self._kill(self._process.pid)

    def _begun(self) -> int:
        """Cases that have."""
        return len(self._said) // child.BEGUN

    def _hear(self) -> None:
        """Read which cases have begun, and when. None has after a kill: it was for the one before."""
        if self._process.done not in self._open:
            return
        room = len(self._marks) * child.BEGUN - len(self._said)
        try:
            more = os.read(self._process.done, room)
        except BlockingIOError:
            return
        before, self._said = self._begun(), self._said + more
        now = self._begun()
        if now > before:
            said = int.from_bytes(self._said[(now - 1) * child.BEGUN : now * child.BEGUN], "little") / 1000
            self._since = min(max(said, self._since), monotonic())
        if len(more) == room or not more:
            self._close(self._process.done)

    def _close(self, fd: int) -> None:
        self._poll.unregister(fd)
        self._open.discard(fd)


def _wake_on_death() -> int:
    """A descriptor that can be read when a child has died."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read

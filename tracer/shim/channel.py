"""Frames of docs/wire.md on descriptors, and the fields of a message."""
import os
import select
import time
from typing import Any, List, Tuple

CHUNK = 1 << 20
HELD_BYTES = 256 << 10  # of answers that wait to be written together
HELD_TIME = 0.02  # seconds that the first of them waits for others

monotonic = time.monotonic  # before it is pinned


def own_channel() -> Tuple["Source", "Sink"]:
    """Move the frames off the descriptors that belong to programs. Descriptors made by os.dup are not inherited by
    what is executed; children that only fork close them."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return Source(source), Sink(sink)


class Source:
    """Frames that come in."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._data = b""
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)

    def ready(self) -> bool:
        """Whether there is something of a further frame."""
        return bool(self._data or self._poll.poll(0))

    def frame(self) -> bytes:
        """Wait for the next one. The end of the input is the end of the process."""
        self._fill(4)
        self._fill(self._end())
        return self._take()

    def ahead(self) -> bytes:
        """The next one, where all of it is there; nothing otherwise."""
        if not self._whole() and self._poll.poll(0):
            self._data += os.read(self._fd, CHUNK)
        return self._take() if self._whole() else b""

    def _end(self) -> int:
        return 4 + int.from_bytes(self._data[:4], "little")

    def _whole(self) -> bool:
        return len(self._data) >= 4 and len(self._data) >= self._end()

    def _take(self) -> bytes:
        end = self._end()
        frame, self._data = self._data[4:end], self._data[end:]
        return frame

    def _fill(self, size: int) -> None:
        if len(self._data) >= size:
            return
        parts, have = [self._data], len(self._data)
        while have < size:
            part = os.read(self._fd, CHUNK)
            if not part:
                os._exit(0)  # process 1 takes the others along
            parts.append(part)
            have += len(part)
        self._data = b"".join(parts)


class Sink:
    """Frames that go out: several at once, as each write wakes all that are between here and who reads."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._held: List[bytes] = []
        self._size = 0
        self._since = 0.0

    def put(self, payload: bytes) -> None:
        now = monotonic()
        if not self._held:
            self._since = now
        self._held += (len(payload).to_bytes(4, "little"), payload)
        self._size += len(payload)
        if self._size > HELD_BYTES or now - self._since > HELD_TIME:
            self.flush()

    def flush(self) -> None:
        if self._held:
            write_all(self._fd, b"".join(self._held))
            self._held, self._size = [], 0


def read_exactly(fd: int, size: int) -> bytes:
    """The end of the input is the end of the process."""
    parts = []
    while size:
        part = os.read(fd, min(size, CHUNK))
        if not part:
            os._exit(0)
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_all(fd: int, data: Any) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


class Reader:
    """Fields of a message."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 1

    def number(self) -> int:
        n = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            n |= (byte & 0x7F) << shift
            if byte < 0x80:
                return n
            shift += 7

    def bytes(self) -> bytes:
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

"""Frames of docs/wire.md on descriptors, and the fields of a message."""
import os
from typing import Tuple

CHUNK = 1 << 20


def own_channel() -> Tuple[int, int]:
    """Move the frames off the descriptors that belong to programs. Descriptors made by os.dup are not inherited by
    what is executed; children that only fork close them."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return source, sink


def read_frame(fd: int) -> bytes:
    return read_exactly(fd, int.from_bytes(read_exactly(fd, 4), "little"))


def read_exactly(fd: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(fd, min(size, CHUNK))
        if not part:
            os._exit(0)  # process 1 takes the others along
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def write_frame(fd: int, payload: bytes) -> None:
    view = memoryview(len(payload).to_bytes(4, "little") + payload)
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

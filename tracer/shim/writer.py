"""Records of docs/wire.md, written into a mapping that outlives the process that writes them."""
from typing import Callable, Dict, Iterable, Tuple

from render_names import BUILTINS

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach

VERSION = 1
HEADER = 8  # bytes of the mapping before a trace: the length of the whole records, little-endian
SLACK = 1 << 20  # beyond the byte limit, so that END always has room
MAGIC = b"TMT" + bytes((VERSION,))

RETURNED, RAISED, SYSTEM_EXIT, EVENT_LIMIT, BYTE_LIMIT, UNIMPORTABLE = range(1, 7)
NO_VALUE = 0

_END = 0x7F


def uvarint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


SMALL = tuple(uvarint(n) for n in range(2048))


def text(s: str) -> bytes:
    """A str of the wire. What is no Unicode scalar value is written as its escape."""
    raw = s.encode("utf-8", "backslashreplace")
    return uvarint(len(raw)) + raw


def following(end: int) -> int:
    """Where in the mapping another trace starts, after one that ends there."""
    return end + -end % HEADER


class Writer:
    """Owns the mapping from begin() to END."""

    def __init__(self, memory, limit: int, start: int = 0) -> None:
        """start is where in the mapping HEADER and the trace are; limit is in bytes of the trace."""
        self._memory = memory
        self._start = start + HEADER
        self._length = memoryview(memory)[start : self._start].cast("Q")
        self._nonce = b""
        self._limit = self._start + limit
        self._at = self._start
        self._codes = 0
        self._names: Dict[str, int] = {}
        self._texts: Dict[Tuple[str, bool], int] = {}
        self._values = 0
        self.full: Callable[[], None] = lambda: None  # called instead of writing past the limit; must not return

    @property
    def following(self) -> int:
        """Where another trace can start."""
        return following(self._at)

    def begin(self, nonce: bytes) -> None:
        self._nonce = nonce
        self._put(MAGIC)

    def _put(self, record: bytes) -> None:
        end = self._at + len(record)
        self._memory[self._at : end] = record
        self._at = end
        self._length[0] = end - self._start

    def put(self, record: bytes) -> int:
        """Write a record; its offset in the mapping."""
        at = self._at
        end = at + len(record)
        if end > self._limit:
            self.full()
        self._memory[at:end] = record
        self._at = end  # only now: a signal handler of the program's may raise here, and must leave no gap
        self._length[0] = end - self._start
        return at

    def patch(self, at: int, bits: int) -> None:
        """Set bits of a byte that was written."""
        self._memory[at] |= bits

    def code(self, name: str, first_line: int, flags: int) -> int:
        self.put(b"\x01" + text(name) + uvarint(first_line) + bytes((flags,)))
        self._codes += 1
        return self._codes - 1

    def name(self, name: str) -> int:
        number = self._names.get(name)
        if number is None:
            self.put(b"\x02" + text(name))
            number = self._names[name] = len(self._names)
        return number

    def value(self, rendered: Tuple[str, bool]) -> int:
        number = self._texts.get(rendered)
        if number is None:
            self.put((b"\x03\x01" if rendered[1] else b"\x03\x00") + text(rendered[0]))
            number = self._texts[rendered] = self._values
            self._values += 1
        return number

    def end(self, outcome: int, events: int, lost: int, alive: bool, output: int, exception: Tuple[str, str],
            arguments: str, notes: Iterable[str]) -> None:
        """Write END. output is a value number + 1, or NO_VALUE."""
        notes = sorted(notes)
        self._put(b"".join((
            bytes((_END, outcome)), uvarint(events), uvarint(lost), bytes((alive,)), uvarint(output),
            text(exception[0]), text(exception[1]), text(arguments),
            uvarint(len(notes)), b"".join(map(text, notes)), self._nonce)))

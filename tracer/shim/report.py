"""What debuggers report: JSON lines in the shared mapping (docs/wire.md)."""
import json
import os
import sys
from typing import Any, Dict, Tuple

import child
from writer import HEADER, SLACK

END_ROOM = 64 << 10  # that one end may take

_exit = os._exit
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def scalar(text: str) -> str:
    """As the wire has it: what is no Unicode scalar value is its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


class Report:
    """The lines of all sessions of a process. A line that is a list defines the next value: its text, and 1 when it is cut."""

    def __init__(self, setting: child.Setting, nonce: bytes, sessions: int) -> None:
        self._memory = setting.memory
        self._length = memoryview(setting.memory)[:HEADER].cast("Q")
        self._render = setting.render
        self._nonce = nonce.hex()
        self._at = HEADER
        self._room = self._all = setting.limit + SLACK - 2 * END_ROOM  # for the last session's end, and for what follows it
        self._values: Dict[Tuple[str, bool], int] = {}
        self._last = sessions - 1
        self._number = 0
        self.ended = False  # the session has: nothing more is written of it
        self.ours = True  # this is the process that the server started
        self._write(b"\n")  # a child that wrote nothing never began

    def begin(self, number: int) -> None:
        self._number = number
        self.ended = False

    def forked(self) -> None:
        sys.settrace(None)
        self.ours = False
        self.ended = True

    def crowded(self) -> bool:
        return self._room < self._all // 2

    def _write(self, data: bytes) -> None:
        end = self._at + len(data)
        self._memory[self._at : end] = data
        self._at = end
        self._length[0] = end - HEADER
        self._room -= len(data)

    def line(self, record: Any) -> None:
        if self.ended:
            return
        data = _encode(record).encode("ascii") + b"\n"
        if self._room < len(data):
            self.end({"end": "limit"})
        else:
            self._write(data)

    def value(self, value: Any) -> int:
        if self.ended:
            return 0
        text, cut = self._render(value)
        text = scalar(text)
        number = self._values.get((text, cut))
        if number is None:
            self.line([text, int(cut)])
            number = self._values[text, cut] = len(self._values)
        return number

    def end(self, record: Dict[str, Any]) -> None:
        """End the session, and, when it is the last, the process."""
        sys.settrace(None)
        if not self.ended:
            self.ended = True
            record.update(session=self._number, nonce=self._nonce)
            self._write(_encode(record).encode("ascii")[: END_ROOM - 1] + b"\n")
        if self._number == self._last:
            _exit(0)

    def rest(self) -> None:
        """End the process before the other sessions."""
        self.ended, self._last = False, self._number
        self.end({"end": "rest"})

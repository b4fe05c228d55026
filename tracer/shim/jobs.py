"""What messages ask the server for."""
import json
from typing import Any, Dict, List, NamedTuple, Tuple

from channel import Reader
from ground import Failure

UNTRACED, ARGUMENTS, TOGETHER = 1, 2, 4  # of a mode

Wrapper = Tuple[str, int, str]  # text, first line, entry


class Job(NamedTuple):
    number: int
    mode: int
    program: bytes
    wrappers: List[Wrapper]  # one for each case
    sessions: List[Dict[str, Any]]  # of debuggers; then there is one case


def read(message: bytes) -> Job:
    kind = message[:1]
    if kind not in (b"J", b"D"):
        raise Failure("a message of type %r where a job was due" % kind)
    r = Reader(message)
    number = r.number()
    if kind == b"D":
        program, wrapper = r.bytes(), _wrapper(r)
        return Job(number, 0, program, [wrapper], json.loads(r.bytes()))
    mode, program = r.number(), r.bytes()
    return Job(number, mode, program, [_wrapper(r) for _ in range(r.number())], [])


def _wrapper(r: Reader) -> Wrapper:
    return r.bytes().decode(), r.number(), r.bytes().decode()

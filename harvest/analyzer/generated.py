"""Whether a file was written by a program rather than by a person."""

import fnmatch
import re
from typing import Iterator, List, Optional

_NAMES = (
    "*_pb2.py *_pb2_grpc.py *_thrift.py parsetab.py lextab.py *_parsetab.py *_lextab.py ui_*.py *_ui.py *_rc.py rc_*.py"
    " _version.py versioneer.py *.generated.py *_generated.py *_gen.py"
).split()
_MARK = re.compile(
    r"@generated\b|\bauto(?:matically)?[ -]?generated\b|\bgenerated (?:automatically|by|from|using|code|file)\b"
    r"|\bdo not (?:edit|modify|change)\b|\bcode generat(?:ed|or)\b|\bthis file (?:is|was) (?:auto)?generated\b",
    re.IGNORECASE,
)
_HEAD_LINES = 20
_LONG_LINE = 1000  # no person writes one
_LONG_AVERAGE = 150  # of the lines that are not blank


def why(program: str, path: str) -> Optional[str]:
    """What says so, or None."""
    name = path.split("/")[-1]
    for pattern in _NAMES:
        if fnmatch.fnmatchcase(name, pattern):
            return "its name is %s" % pattern
    lines = program.split("\n")
    for line in _head(lines):
        found = _MARK.search(line)
        if found:
            return "its head says: %s" % found.group()
    longest = max(len(line) for line in lines)
    if longest > _LONG_LINE:
        return "a line of %d characters" % longest
    full = [len(line) for line in lines if line.strip()]
    if len(full) > 10 and sum(full) > _LONG_AVERAGE * len(full):
        return "%d characters a line" % (sum(full) // len(full))
    return None


def _head(lines: List[str]) -> Iterator[str]:
    """The comments, and the docstring, that a file begins with."""
    quote = ""
    for line in lines[:_HEAD_LINES]:
        text = line.strip()
        if quote:
            yield text
            if quote in text:
                quote = ""
        elif text.startswith("#"):
            yield text
        elif text.lstrip("rRuU").startswith(('"""', "'''")):
            quote = text.lstrip("rRuU")[:3]
            yield text
            if text.count(quote) > 1:
                quote = ""
        elif text:
            return

"""One request, one answer.

A request is a little-endian uint32 length, a JSON object of that length, and the source. The object has `text` (the source is
UTF-8 text, not the bytes of a file), `notebook` (it is one, in JSON), `path`, `test_files` (of its module: `[{"path": str, "source": base64}]`), `max_bytes`, `slice` (`module` or `minimal`),
`filters`, `caseless` (functions without a case are wanted too, and calls that may be no good), `fingerprints` (so are they) and, for data set rows,
`entry`, `inputs`: a list of `{"text": str, "whole": bool, "expected": str or null}`, `tests`: a list of texts with asserts,
and `imports` (the names that leetcode.py knows are imported). Without `entry` it is the function that the tests call; where it is
`<module>`, the program itself is meant, which has no cases that a parser knows of: programs.py. The answer is a JSON object: `reason` and `detail` of an item that is dropped, else `program`, `blocks`, `functions`, `left`
(functions that are left out, and why), `cases`, `drops` `facts`, counts of what was read, and `test_facts`, of test files. A function has its qualified
`name`, the expression `entry`, `slice` (the ranges of the program's lines that it is cut to, null for all of them), `suffix`,
which goes behind its program, and where it was asked for a `fingerprint`.

A request with `equal`, a pair of texts, asks whether they are literals of equal values; its answer's `equal` is true, false, or
null when one is no literal. One with `generate` asks for calls of a function of the source: `generate` says how.
One with `fingerprint` asks for the fingerprints of all functions of the source, or with its `whole` for that of the source: see fingerprint.py.
"""

import ast
import json
import struct
from typing import Any, Dict, Optional

from analyzer import source
from analyzer.fingerprint import fingerprints
from analyzer.generate import generate
from analyzer.items import analyze


def answer(request: bytes) -> bytes:
    (length,) = struct.unpack_from("<I", request)
    head = json.loads(request[4:4 + length].decode("utf-8"))
    try:
        if "equal" in head:
            result = {"equal": equal(*head["equal"])}  # type: Dict[str, Any]
        elif "generate" in head:
            result = generate(head["generate"], request[4 + length:].decode("utf-8"))
        elif "fingerprint" in head:
            result = fingerprints(request[4 + length:].decode("utf-8"), head["fingerprint"]["whole"])
        else:
            result = analyze(head, request[4 + length:])
    except source.Rejected as error:
        result = {"reason": error.reason, "detail": error.detail}
    return json.dumps(result, ensure_ascii=False).encode("utf-8", "backslashreplace")


def without_tests(request: bytes) -> Optional[bytes]:
    """The request without its test files, for a parser that may have died of them; None where it has none."""
    (length,) = struct.unpack_from("<I", request)
    head = json.loads(request[4:4 + length].decode("utf-8"))
    files = head.pop("test_files", None)
    if not files:
        return None
    packed = json.dumps(dict(head, tests_left=len(files))).encode("utf-8")
    return struct.pack("<I", len(packed)) + packed + request[4 + length:]


def equal(a: str, b: str) -> Optional[bool]:
    """By Python's ==, which alone knows that `{1, 2}` is `{2, 1}` and `'a'` is `"a"`."""
    try:
        return bool(ast.literal_eval(a) == ast.literal_eval(b))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None

"""One request, one answer.

A request is a little-endian uint32 length, a JSON object of that length, and the source. The object has `text`
(the source is UTF-8 text, not the bytes of a file), `max_bytes`, and, for data set rows, `entry` and `inputs`: a list of
`{"text": str, "whole": bool, "expected": str or null}`. The answer is a JSON object: `reason` and `detail` of an item
that is dropped, else `program`, `blocks`, `functions`, `cases` and `drops`.

A request with `equal`, a pair of texts, asks whether they are literals of equal values; its answer's `equal` is true, false, or
null when one is no literal.
"""

import ast
import json
import struct
import warnings
from typing import Any, Dict, List, Optional

from analyzer import source
from analyzer.cases import Cases
from analyzer.module import FunctionNode, Module, blocks, first_line, is_generator


def answer(request: bytes) -> bytes:
    (length,) = struct.unpack_from("<I", request)
    head = json.loads(request[4:4 + length].decode("utf-8"))
    try:
        result = {"equal": equal(*head["equal"])} if "equal" in head else analyze(head, request[4 + length:])
    except source.Rejected as error:
        result = {"reason": error.reason, "detail": error.detail}
    return json.dumps(result, ensure_ascii=False).encode("utf-8", "backslashreplace")


def equal(a: str, b: str) -> Optional[bool]:
    """By Python's ==, which alone knows that `{1, 2}` is `{2, 1}` and `'a'` is `"a"`."""
    try:
        return bool(ast.literal_eval(a) == ast.literal_eval(b))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def analyze(head: Dict[str, Any], raw: bytes) -> Dict[str, Any]:
    """What is found in one file or row; raises source.Rejected for one that gives nothing."""
    program = source.normal(raw.decode("utf-8")) if head.get("text") else source.decode(raw)
    size = len(program.encode("utf-8"))
    if size > head["max_bytes"]:
        raise source.Rejected("too_long", "%d bytes of program, more than %d" % (size, head["max_bytes"]))
    source.gate(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = Module(program)
        return _rows(head, program, module) if head.get("entry") else _file(program, module)


def _rows(head: Dict[str, Any], program: str, module: Module) -> Dict[str, Any]:
    entry = head["entry"]
    if entry not in module.functions:
        names = ", ".join(sorted(module.functions)) or "none"
        raise source.Rejected("no_entry", "no top-level function %s; there are: %s" % (entry, names))
    cases = Cases(module)
    for given in head.get("inputs") or []:
        # Line ends as in a file; anything else that a file may not hold is found when the call is compiled.
        text = given["text"].replace("\r\n", "\n").replace("\r", "\n")
        cases.given(entry, text, given["whole"], given.get("expected"))
    return _result(program, module, [module.functions[entry]], cases)


def _file(program: str, module: Module) -> Dict[str, Any]:
    if not module.functions:
        raise source.Rejected("no_function", "no function at top level")
    cases = Cases(module)
    cases.harvest()
    return _result(program, module, list(module.functions.values()), cases)


def _result(program: str, module: Module, functions: List[FunctionNode], cases: Cases) -> Dict[str, Any]:
    return {
        "program": program,
        "blocks": blocks(module.tree),
        "functions": [_function(node) for node in sorted(functions, key=first_line)],
        "shadowed": [{"name": node.name, "line": node.lineno} for node in module.shadowed],
        "cases": [case._asdict() for case in cases.found],
        "drops": [drop._asdict() for drop in cases.drops],
    }


def _function(node: FunctionNode) -> Dict[str, Any]:
    doc = ast.get_docstring(node) or ""
    return {
        "name": node.name,
        "start": first_line(node),
        "end": node.end_lineno,
        # A lone surrogate, from an escape, cannot be stored: it stays an escape.
        "doc": doc.encode("utf-8", "backslashreplace").decode("utf-8"),
        "async": isinstance(node, ast.AsyncFunctionDef),
        "generator": is_generator(node),
    }

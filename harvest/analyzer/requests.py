"""One request, one answer.

A request is a little-endian uint32 length, a JSON object of that length, and the source. The object has `text`
(the source is UTF-8 text, not the bytes of a file), `max_bytes`, `slice` (`module` or `minimal`), `caseless` (functions without a case are wanted too, and calls that may
be no good) and, for data set rows,
`entry` and `inputs`: a list of `{"text": str, "whole": bool, "expected": str or null}`. The answer is a JSON object:
`reason` and `detail` of an item that is dropped, else `program`, `blocks`, `functions`, `cases` and `drops`. A function
has `slice`: the ranges of the program's lines that it is cut to, null for all of them.

A request with `equal`, a pair of texts, asks whether they are literals of equal values; its answer's `equal` is true, false, or
null when one is no literal. One with `generate` asks for calls of a function of the source: `generate` says how.
One with `fingerprint` asks for the fingerprints of functions: see fingerprint.py.
"""

import ast
import json
import struct
import warnings
from typing import Any, Dict, List, Optional, Set

from analyzer import source
from analyzer.cases import Cases
from analyzer.expressions import free_names
from analyzer.fingerprint import fingerprints
from analyzer.generate import generate
from analyzer.module import FunctionNode, Module, blocks, first_line, is_generator
from analyzer.slicing import Ranges, Slicer


def answer(request: bytes) -> bytes:
    (length,) = struct.unpack_from("<I", request)
    head = json.loads(request[4:4 + length].decode("utf-8"))
    try:
        if "equal" in head:
            result = {"equal": equal(*head["equal"])}  # type: Dict[str, Any]
        elif "generate" in head:
            result = generate(head["generate"], request[4 + length:].decode("utf-8"))
        elif "fingerprint" in head:
            result = fingerprints(head["fingerprint"], request[4 + length:].decode("utf-8"))
        else:
            result = analyze(head, request[4 + length:])
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
        return _rows(head, program, module) if head.get("entry") else _file(head, program, module)


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
    if head.get("caseless"):
        cases.harvest()
        cases.anywhere()
        cases.only(entry)
    return _result(head, program, module, [module.functions[entry]], cases)


def _file(head: Dict[str, Any], program: str, module: Module) -> Dict[str, Any]:
    if not module.functions:
        raise source.Rejected("no_function", "no function at top level")
    cases = Cases(module)
    cases.harvest()
    if head.get("caseless"):
        cases.anywhere()
    return _result(head, program, module, list(module.functions.values()), cases)


def _result(head: Dict[str, Any], program: str, module: Module, functions: List[FunctionNode], cases: Cases) -> Dict[str, Any]:
    slices = _slices(head, program, module, functions, cases) if head.get("slice") == "minimal" else {}
    return {
        "program": program,
        "blocks": blocks(module.tree),
        "functions": [_function(node, slices.get(node.name)) for node in sorted(functions, key=first_line)],
        "shadowed": [{"name": node.name, "line": node.lineno} for node in module.shadowed],
        "cases": [case._asdict() for case in cases.found],
        "drops": [drop._asdict() for drop in cases.drops],
    }


def _slices(head: Dict[str, Any], program: str, module: Module, functions: List[FunctionNode], cases: Cases) -> Dict[str, Optional[Ranges]]:
    names = {node.name: {node.name} for node in functions}  # type: Dict[str, Set[str]]
    for case in cases.found:
        names[case.function] |= free_names(case.call)
    with_cases = {case.function for case in cases.found} if not head.get("caseless") else set(names)
    slicer = Slicer(program, module)
    return {node.name: slicer.cut(slicer.reach(first_line(node), names[node.name])) for node in functions if node.name in with_cases}


def _function(node: FunctionNode, cut: Optional[Ranges]) -> Dict[str, Any]:
    doc = ast.get_docstring(node) or ""
    return {
        "name": node.name,
        "start": first_line(node),
        "end": node.end_lineno,
        # A lone surrogate, from an escape, cannot be stored: it stays an escape.
        "doc": doc.encode("utf-8", "backslashreplace").decode("utf-8"),
        "async": isinstance(node, ast.AsyncFunctionDef),
        "generator": is_generator(node),
        "slice": cut,
    }

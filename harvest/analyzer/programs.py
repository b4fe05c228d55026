"""A row's program that is run as the script that it is, and not called: what is said of it, and why it is not wanted."""

import ast
from typing import Any, Dict

from analyzer import source
from analyzer.filters import Filters
from analyzer.fingerprint import Fingerprints
from analyzer.module import Module, blocks

ENTRY = "<module>"


def analyze(head: Dict[str, Any], program: str) -> Dict[str, Any]:
    """The answer to a request whose entry is ENTRY. Its cases are texts, which are nothing to a parser."""
    module = Module(program)
    # Declarations make no code: the interpreter would execute nothing, at no line.
    if all(isinstance(node, ast.Global) for node in module.tree.body):
        raise source.Rejected("no_statement", "the program has %s" % ("no statement" if program.strip() else "no text"))
    lines = line_count(program)
    left = Filters(head.get("filters")).of_script(ENTRY, module.tree, lines)
    doc = ast.get_docstring(module.tree) or ""
    function = {
        "name": ENTRY, "entry": ENTRY, "start": 1, "end": lines, "doc": doc.encode("utf-8", "backslashreplace").decode("utf-8"),
        "async": False, "generator": False, "slice": None, "suffix": "",
    }  # type: Dict[str, Any]
    if head.get("fingerprints"):
        function["fingerprint"] = Fingerprints(module).described(module.tree)
    return {
        "program": program,
        "blocks": blocks(module.tree, module.nodes),
        "functions": [] if left else [function],
        "left": [left._asdict()] if left else [],
        "cases": [],
        "drops": [],
    }


def line_count(program: str) -> int:
    """An empty program has one line, which is empty."""
    return max(1, program.count("\n") + (not program.endswith("\n")))

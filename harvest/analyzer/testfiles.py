"""Tests of a module in files of their own: what they assert of the functions that they import from it.

A test is rewritten until it speaks of the module alone: after `from pkg.x import f as g` and `N = 3`, `g(N)` is `f(3)`. A call that still uses
a name of the test's is dropped as any such call is.
"""

import ast
import base64
import warnings
from typing import Any, Dict, List, Set

from analyzer import parametrize, source
from analyzer.cases import Cases
from analyzer.definitions import DEFINITIONS, FUNCTIONS, bound, own_nodes, parameters
from analyzer.expressions import UNPARSABLE
from analyzer.inlining import Edits, Known, constants, results
from analyzer.module import Text
from analyzer.origins import Origins
from analyzer.walking import walk


def read(files: List[Dict[str, str]], path: str, cases: Cases) -> Dict[str, int]:
    """Adds the cases of a module's test files. The answer counts the files: read; broken; other, those that import nothing of the module."""
    facts = {}  # type: Dict[str, int]
    for file in files:
        try:
            used = _File(source.decode(base64.b64decode(file["source"])), file["path"], path, cases).read()
            what = "read" if used else "other"
        except UNPARSABLE + (source.Rejected,):
            what = "broken"
        facts[what] = facts.get(what, 0) + 1
    return facts


class _File:
    def __init__(self, text: str, path: str, of: str, cases: Cases) -> None:
        self._cases = cases
        self._lines = text.split("\n")
        self._text = Text(text)
        self._tree = _parse(text)
        self._nodes = walk(self._tree)
        self._origins = Origins(self._nodes, path, of, cases.units)
        self._bound = bound(self._tree.body)
        self._rebound = _rebound(self._tree.body)
        self._known = constants(self._tree.body, self._nodes, self._text)

    def read(self) -> bool:
        if not self._origins.used:
            return False
        top = [node for node in self._tree.body if not isinstance(node, DEFINITIONS)]
        for node in top:
            self._piece(node, self._known, set(), set())
        for node in self._nodes:
            if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
                self._function(node)
        return True

    def _function(self, node: Any) -> None:
        body = list(own_nodes(node.body))
        local = parameters(node) | bound(node.body)
        outer = {name: value for name, value in self._known.items() if name not in local}
        inside = dict(constants(node.body, body, self._text), **results(node.body, body, self._text))
        for row in parametrize.rows(node, body, self._text):
            self._piece(node, dict(outer, **dict(inside, **row)), local, parameters(node) | _rebound(node.body))

    def _piece(self, node: ast.AST, known: Known, local: Set[str], rebound: Set[str]) -> None:
        """Takes what a top-level statement, or a function, asserts, with what is known of names in their place."""
        rebound = rebound | self._rebound
        edits = Edits(self._text, known, self._origins, rebound)
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        lines = edits.lines(node, self._lines[first - 1:last], first)
        text = "\n".join(["if 1:"] + lines) if node.col_offset else "\n".join(lines)  # type: ignore[attr-defined]
        body = _parse(text).body  # type: List[Any]
        body = body[0].body if node.col_offset else body  # type: ignore[attr-defined]
        if isinstance(node, FUNCTIONS):
            body = body[0].body
        names = (self._bound | local | bound(body)) - (self._origins.plain() - rebound)
        self._cases.asserted(body, names, Text(text), "test")


def _rebound(body: List[Any]) -> Set[str]:
    """The names that statements bind by more than an import."""
    nodes = list(own_nodes(body))
    names = {(node.asname or node.name).split(".")[0] for node in nodes if isinstance(node, ast.alias)}
    names -= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bound(body) - (names - {node.name for node in nodes if isinstance(node, DEFINITIONS)})


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)

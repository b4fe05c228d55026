"""The statements of a stretch of code, one by one."""

import ast
from typing import Iterable, Iterator, List

from analyzer.definitions import DEFINITIONS
from analyzer.walking import children, walk


def statements(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements under nodes, in the order of the text, those of nested definitions left out."""
    for node in nodes:
        if isinstance(node, DEFINITIONS):
            continue
        if isinstance(node, ast.stmt):
            yield node
        yield from statements([c for c in children(node) if not isinstance(c, ast.expr)])


def without_asserts(nodes: List[ast.AST]) -> Iterator[ast.AST]:
    """The parts of a main block that are not asserts: what is left of each statement is taken once."""
    for node in nodes:
        if isinstance(node, (ast.Assert,) + DEFINITIONS):
            continue
        if any(isinstance(child, ast.Assert) for child in walk(node)):
            yield from without_asserts(children(node))
        else:
            yield node

"""Tests that a data set gives beside a program: asserts about calls, alone or in a function, and tables of inputs and results."""

import ast
import warnings
from collections import Counter
from typing import Any, Iterator, List, NamedTuple, Optional, Set, Tuple

from analyzer.definitions import FUNCTIONS, bound, parameters
from analyzer.expressions import UNPARSABLE, is_literal
from analyzer.module import Module, Text

# What HumanEval's check(candidate) calls the function that is tested.
CANDIDATE = "candidate"
_INPUTS, _RESULTS = "inputs", "results"  # of EvalPlus


class Claims(NamedTuple):
    """A test's statements, scope by scope, and in each the names that a call must not use: they are the test's own."""

    text: Text
    scopes: List[Tuple[List[ast.stmt], Set[str]]]


def read(source: str, entry: str, module: Module) -> Claims:
    """Raises one of UNPARSABLE for what does not parse. `candidate` is read as the entry."""
    tree = _parse(source)
    renamed = _renamed(source, tree, entry)
    if renamed != source:
        source, tree = renamed, _parse(renamed)
    own = _bound(tree.body, module)
    scopes = [(tree.body, own)]
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            scopes.append((node.body, own | parameters(node) | _bound(node.body, module)))
    return Claims(Text(source), scopes)


def entry_of(sources: List[str], module: Module) -> Optional[str]:
    """The function of the program that most asserts are about; of equals the first."""
    votes = Counter()  # type: Counter[str]
    for source in sources:
        try:
            tree = _parse(source)
        except UNPARSABLE:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                votes.update(_called(node.test, module))
    return votes.most_common(1)[0][0] if votes else None


def table(claims: Claims) -> Iterator[Tuple[str, Optional[str]]]:
    """The argument lists, and what is said of them, of `inputs = [[...], ...]` and `results = [...]`."""
    for statements, _ in claims.scopes:
        inputs, results = _list(statements, _INPUTS), _list(statements, _RESULTS)
        if inputs is None or not all(isinstance(row, (ast.List, ast.Tuple)) for row in inputs):
            continue
        for n, row in enumerate(inputs):
            arguments = ", ".join(claims.text.segment(item) for item in row.elts)  # type: ignore[attr-defined]
            result = claims.text.segment(results[n]) if results is not None and len(results) == len(inputs) else ""
            yield arguments, result if is_literal(result) else None


def _list(statements: List[ast.stmt], name: str) -> Optional[List[ast.expr]]:
    for node in statements:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            if [getattr(target, "id", "") for target in node.targets] == [name]:
                return node.value.elts
    return None


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _bound(statements: List[Any], module: Module) -> Set[str]:
    """What statements bind; an import of what the program imports too is no matter."""
    names = set()  # type: Set[str]
    for node in statements:
        own = bound([node])
        names |= own - module.globals if isinstance(node, (ast.Import, ast.ImportFrom)) else own
    return names


def _called(test: ast.AST, module: Module) -> List[str]:
    """The outermost function of the program that an expression calls."""
    for node in ast.walk(test):  # breadth first
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in module.functions:
            return [node.func.id]
    return []


def _renamed(source: str, tree: ast.Module, entry: str) -> str:
    """The source with the entry in the place of a parameter called candidate."""
    if not any(CANDIDATE in parameters(node) for node in ast.walk(tree) if isinstance(node, FUNCTIONS)):
        return source
    lines = [line.encode("utf-8") for line in source.split("\n")]
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == CANDIDATE]
    for node in sorted(uses, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line, start, end = lines[node.lineno - 1], node.col_offset, node.col_offset + len(CANDIDATE)
        if line[start:end] == CANDIDATE.encode():  # before 3.12 the positions in an f-string are not those of the text
            lines[node.lineno - 1] = line[:start] + entry.encode("utf-8") + line[end:]
    return b"\n".join(lines).decode("utf-8")

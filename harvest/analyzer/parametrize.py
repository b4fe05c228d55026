"""The rows of `@pytest.mark.parametrize("n, want", [(1, 2), (3, 4)])`: values for the parameters of a test."""

import ast
from typing import Any, Iterable, Iterator, List, Optional, Tuple

from analyzer.definitions import FunctionNode
from analyzer.expressions import is_literal
from analyzer.inlining import Known, Value, is_mutable
from analyzer.module import Text

_MOST_ROWS = 100  # of a test: each is read as a test of its own


def rows(test: FunctionNode, nodes: Iterable[ast.AST], text: Text) -> Iterator[Known]:
    """For each row the parameters that are literals; one row of nothing for a test that has no rows, or several lists of them."""
    lists = [d for d in test.decorator_list if isinstance(d, ast.Call) and isinstance(d.func, ast.Attribute) and d.func.attr == "parametrize"]
    if len(lists) != 1 or len(lists[0].args) < 2:
        yield {}
        return
    (names, bare), table = _names(lists[0].args[0]), lists[0].args[1]
    if not names or not isinstance(table, (ast.List, ast.Tuple)):
        yield {}
        return
    loaded = [node.id for node in nodes if isinstance(node, ast.Name)]
    for row in table.elts[:_MOST_ROWS]:
        values = _values(row, len(names), bare)
        if values is None:
            continue
        yield {
            name: Value(value)
            for name, value in zip(names, values)
            if is_literal(text.segment(value)) and (loaded.count(name) <= 1 or not is_mutable(value))
        }


def _names(node: ast.expr) -> Tuple[List[str], bool]:
    """The parameters, and whether a row is the value of the only one: of `"n"`, but not of `["n"]`."""
    try:
        given = ast.literal_eval(node)  # type: Any
    except ValueError:
        return [], False
    if isinstance(given, str):
        names = [name.strip() for name in given.split(",") if name.strip()]
        return names, len(names) == 1
    return (list(given) if isinstance(given, (list, tuple)) and all(isinstance(name, str) for name in given) else []), False


def _values(row: ast.expr, wanted: int, bare: bool) -> Optional[List[ast.expr]]:
    if isinstance(row, ast.Call) and isinstance(row.func, ast.Attribute) and row.func.attr == "param":
        values = row.args  # pytest.param(1, 2, id="one")
    elif bare:
        values = [row]
    elif isinstance(row, (ast.List, ast.Tuple)):
        values = row.elts
    else:
        return None
    return values if len(values) == wanted else None

"""Which functions a build does not want, and why: each bound is off until the request's `filters` sets it.

`filters` is {"max_lines", "min_statements", "max_statements", "max_arguments": int, "imports": [module, or "stdlib", or "image"],
"ban": [kind of call], "docstring_only", "trivial", "generated": bool}.
"""

import ast
from typing import Any, Dict, List, Optional, Tuple, Union

from analyzer.banned import banned
from analyzer.definitions import FunctionNode, first_line
from analyzer.imports import forbidden
from analyzer.units import CLASS, INSTANCE, PROPERTY, Left, Unit
from analyzer.walking import walk


class Filters:
    def __init__(self, wanted: Optional[Dict[str, Any]]) -> None:
        self._wanted = wanted or {}

    @property
    def reaches(self) -> bool:
        """Whether what a function reaches is looked at, and not only the function."""
        return bool(self._wanted.get("imports") or self._wanted.get("ban"))

    def of(self, unit: Unit) -> Optional[Left]:
        """Why a function itself is not wanted."""
        node, wanted = unit.node, self._wanted
        if not wanted:
            return None
        lines = (node.end_lineno or node.lineno) - first_line(node) + 1
        size = self._size(lines, statements(node), arguments(unit))
        if size is not None:
            return self._left(unit, *size)
        if wanted.get("docstring_only") and is_docstring_only(node):
            return self._left(unit, "docstring_only", "nothing but a docstring")
        if wanted.get("trivial"):
            what = trivial(node)
            if what:
                return self._left(unit, "trivial_body", what)
        return None

    def of_script(self, name: str, tree: ast.Module, lines: int) -> Optional[Left]:
        """Why a program that is run, with something on its standard input, is not wanted."""
        wanted = self._wanted
        why = self._size(lines, statements(tree), 0) if wanted else None
        if why is None and wanted.get("docstring_only") and is_docstring_only(tree):
            why = "docstring_only", "nothing but a docstring"
        if why is None and wanted.get("imports"):
            names = forbidden(tree.body, wanted["imports"])
            why = ("import_not_allowed", ", ".join(names)) if names else None
        if why is None and wanted.get("ban"):
            calls = banned(tree.body, wanted["ban"], script=True)
            why = ("banned_call", ", ".join(calls)) if calls else None
        return Left(name, 1, *why) if why else None

    def _size(self, lines: int, count: int, parameters: int) -> Optional[Tuple[str, str]]:
        """Reason and detail for what is too large or too small."""
        wanted = self._wanted
        for reason, number, least, most, what in (
            ("too_many_lines", lines, 0, wanted.get("max_lines"), "lines"),
            ("too_many_statements", count, 0, wanted.get("max_statements"), "statements"),
            ("too_few_statements", count, wanted.get("min_statements") or 0, None, "statements"),
            ("too_many_arguments", parameters, 0, wanted.get("max_arguments"), "arguments"),
        ):
            if most and number > most:
                return reason, "%d %s, more than %d" % (number, what, most)
            if number < least:
                return reason, "%d %s, fewer than %d" % (number, what, least)
        return None

    def of_program(self, unit: Unit, program: List[ast.stmt], reached: List[ast.stmt]) -> Optional[Left]:
        """Why a function is not wanted for what its program imports, or for what it reaches of it."""
        if self._wanted.get("imports"):
            names = forbidden(program, self._wanted["imports"])
            if names:
                return self._left(unit, "import_not_allowed", ", ".join(names))
        if self._wanted.get("ban"):
            calls = banned(reached, self._wanted["ban"])
            if calls:
                return self._left(unit, "banned_call", ", ".join(calls))
        return None

    def _left(self, unit: Unit, reason: str, detail: str) -> Left:
        return Left(unit.qualname, first_line(unit.node), reason, detail)


Body = Union[FunctionNode, ast.Module]


def body(node: Body) -> List[ast.stmt]:
    """The statements of a function or a module without its docstring."""
    return node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body


def statements(node: Body) -> int:
    return sum(isinstance(inner, ast.stmt) for part in body(node) for inner in walk(part))


def arguments(unit: Unit) -> int:
    args = unit.node.args
    count = len(args.posonlyargs) + len(args.args) + len(args.kwonlyargs) + (args.vararg is not None) + (args.kwarg is not None)
    return count - (unit.kind in (CLASS, INSTANCE, PROPERTY) and count > 0)


def is_docstring_only(node: Body) -> bool:
    return ast.get_docstring(node, clean=False) is not None and all(_is_nothing(part) for part in body(node))


def trivial(node: FunctionNode) -> str:
    """What makes a body one that shows nothing; "" for others."""
    parts = [part for part in body(node) if not _is_nothing(part)]
    if not parts:
        return "an empty body"
    if len(parts) > 1:
        return ""
    only = parts[0]
    if isinstance(only, ast.Raise):
        return "it only raises"
    if not isinstance(only, (ast.Return, ast.Expr)):
        return ""
    value = only.value
    if isinstance(value, (ast.Await, ast.YieldFrom)):
        value = value.value
    if value is None or _is_plain(value):
        return "it only returns a constant, a name or an attribute"
    if isinstance(value, ast.Call) and _is_plain(value.func):
        handed = list(value.args) + [keyword.value for keyword in value.keywords]
        if all(_is_plain(arg.value if isinstance(arg, ast.Starred) else arg) for arg in handed):
            return "it only calls another"
    return ""


def _is_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_plain(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    if isinstance(node, (ast.Tuple, ast.List)):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Call):  # super().method
        return isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args
    return isinstance(node, (ast.Constant, ast.Name))

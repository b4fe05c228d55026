"""The top-level statements of a module, and the global names that each binds and needs.

Statements that share a line are one piece, since programs are cut by whole lines. Which names are global inside functions
and classes is for the interpreter's own symbol table to say; what runs when the module is imported is read off the tree, where
the variables of comprehensions count as global: too much is kept rather than too little.
"""

import ast
import symtable
from bisect import bisect_right
from typing import Dict, Iterable, Iterator, List, Optional, Set, Tuple, Union

from analyzer.definitions import DEFINITIONS, FUNCTIONS, FunctionNode, first_line
from analyzer.walking import children, walk

_BLANK = frozenset(" \t\f")


class Piece:
    """One or more top-level statements: whole lines."""

    def __init__(self, index: int, node: ast.stmt, first: int) -> None:
        self.index = index
        self.nodes = [node]
        self.first = first
        self.last = node.end_lineno or node.lineno  # type: int
        self.binds = set()  # type: Set[str]
        self.now = set()  # type: Set[str]  # global names that are read when the module is imported
        self.needs = set()  # type: Set[str]  # likewise, or when a function or method of it is called
        self._executed = None  # type: Optional[List[ast.AST]]
        self._every = None  # type: Optional[List[ast.AST]]
        self.writes = set()  # type: Set[str]  # global names that a call of a function of it may bind

    def executed(self) -> List[ast.AST]:
        """All nodes that run when the module is imported."""
        if self._executed is None:
            self._executed = [inner for node in self.nodes for inner, _ in executed(node)]
        return self._executed

    def every(self) -> List[ast.AST]:
        """All nodes."""
        if self._every is None:
            self._every = [inner for node in self.nodes for inner in walk(node)]
        return self._every


def pieces(program: str, tree: ast.Module) -> List[Piece]:
    """The statements of a module in the order of the text, with their names."""
    lines = program.split("\n")
    found = []  # type: List[Piece]
    for node in tree.body:
        last = found[-1].last if found else 0
        first = _start(node, lines, last)
        if found and first <= last:
            found[-1].nodes.append(node)
            found[-1].last = max(last, node.end_lineno or 0)
        else:
            found.append(Piece(len(found), node, first))
    for piece in found:
        _import_time(piece)
    if found:
        _call_time(program, found)
        if ast.get_docstring(tree) is not None:
            found[0].binds.add("__doc__")
    return found


def blanks_above(lines: List[str], first: int, above: int) -> List[int]:
    """The last two blank lines between the lines above and first, both excluded."""
    empty = [n for n in range(above + 1, first) if _BLANK.issuperset(lines[n - 1])]
    return empty[-2:]


def _start(node: ast.stmt, lines: List[str], above: int) -> int:
    first = first_line(node)
    if getattr(node, "decorator_list", None):
        # The expression of a decorator may begin below its @.
        for number in range(above + 1, first):
            if lines[number - 1].lstrip().startswith("@"):
                return number
    return first


def executed(node: ast.AST, in_class: bool = False) -> Iterator[Tuple[ast.AST, bool]]:
    """The nodes below one that run when it does, and whether they are in the body of a class: no bodies of functions."""
    stack = [(node, in_class)]
    while stack:
        node, in_class = stack.pop()
        yield node, in_class
        if isinstance(node, FUNCTIONS):
            stack.extend((child, in_class) for child in signature(node))
        elif isinstance(node, ast.Lambda):
            stack.extend((child, in_class) for child in _defaults(node.args))
        elif isinstance(node, ast.ClassDef):
            for field, value in ast.iter_fields(node):
                if isinstance(value, list):
                    stack.extend((child, in_class or field == "body") for child in value)
        else:
            stack.extend((child, in_class) for child in children(node))


def signature(node: FunctionNode) -> List[ast.AST]:
    """What of a function's definition is evaluated where it stands, or may be asked for later: its annotations."""
    args = node.args
    every = list(args.posonlyargs) + args.args + args.kwonlyargs + [arg for arg in (args.vararg, args.kwarg) if arg]
    parts = list(node.decorator_list) + _defaults(args)  # type: List[ast.AST]
    if getattr(node, "type_params", None):
        return parts  # the annotations are in the scope of the type parameters, which the symbol table knows
    parts.extend(arg.annotation for arg in every if arg.annotation is not None)
    if node.returns is not None:
        parts.append(node.returns)
    return parts


def _defaults(args: ast.arguments) -> List[ast.AST]:
    return list(args.defaults) + [value for value in args.kw_defaults if value is not None]


def _import_time(piece: Piece) -> None:
    for top in piece.nodes:
        for node, in_class in executed(top):
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    piece.now.add(node.id)
                elif not in_class:
                    piece.binds.add(node.id)
                    if isinstance(node.ctx, ast.Del):
                        piece.now.add(node.id)
            elif isinstance(node, ast.Global):
                piece.binds.update(node.names)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                piece.now.add(node.target.id)
            elif not in_class:
                piece.binds |= _bound(node)
    piece.needs |= piece.now


def _bound(node: ast.AST) -> Set[str]:
    """Names that a node other than a Name binds."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    names = set()  # type: Set[str]
    if isinstance(node, ast.ExceptHandler) or type(node).__name__.startswith("Match"):
        for field in ("name", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                names.add(value)
    return names


def _call_time(program: str, found: List[Piece]) -> None:
    starts = [piece.first for piece in found]
    for top in symtable.symtable(program, "<program>", "exec").get_children():
        piece = found[max(bisect_right(starts, top.get_lineno()) - 1, 0)]
        tables = [top]
        while tables:
            table = tables.pop()
            tables.extend(table.get_children())
            in_class = table.get_type() == "class"
            for symbol in table.get_symbols():
                if symbol.is_global():
                    piece.needs.add(symbol.get_name())
                    if symbol.is_assigned():
                        piece.writes.add(symbol.get_name())
                elif in_class and symbol.is_referenced():
                    # `x = x` in the body of a class reads the global one.
                    piece.needs.add(symbol.get_name())


def root(node: ast.AST) -> Union[str, None]:
    """The name at the beginning of a chain of attributes, subscripts and calls."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def imported(nodes: Iterable[ast.AST]) -> Dict[str, str]:
    """Names that the imports among nodes bind, and what they stand for: `{"np": "numpy", "sqrt": "math.sqrt"}`."""
    names = {}  # type: Dict[str, str]
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            for alias in node.names:
                if alias.name != "*":
                    names[alias.asname or alias.name] = "%s.%s" % (base, alias.name)
    return names


def dotted(node: ast.AST, names: Dict[str, str]) -> Union[str, None]:
    """The full name of what an expression such as `o.path.join` names, by the imports."""
    parts = []  # type: List[str]
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([names.get(node.id, node.id)] + parts[::-1])

"""What a module defines: its top-level functions, its global names, and the blocks that its lines make."""

import ast
import builtins
from typing import Any, Dict, Iterable, Iterator, List, Set, Tuple, Union

from analyzer.walking import children, walk

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = FUNCTIONS + (ast.ClassDef,)
_SCOPES = DEFINITIONS + (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

BUILTINS = frozenset(dir(builtins))


class Text:
    """Source text with access by AST position: columns are bytes of UTF-8, and only \\n ends a line."""

    def __init__(self, text: str) -> None:
        self._lines = [line.encode("utf-8") for line in text.split("\n")]

    def segment(self, node: ast.AST) -> str:
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
        start, end = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        if first == last:
            return self._lines[first][start:end].decode("utf-8")
        middle = self._lines[first + 1:last]
        return b"\n".join([self._lines[first][start:]] + middle + [self._lines[last][:end]]).decode("utf-8")

    def replaced(self, node: ast.AST, part: ast.AST, new: str) -> str:
        """The text of a node with that of a part of it replaced."""
        before, after = ast.copy_location(ast.Pass(), node), ast.copy_location(ast.Pass(), node)
        before.end_lineno, before.end_col_offset = part.lineno, part.col_offset  # type: ignore[attr-defined]
        after.lineno, after.col_offset = part.end_lineno, part.end_col_offset  # type: ignore[attr-defined]
        return self.segment(before) + new + self.segment(after)


class Module:
    """A parsed program."""

    def __init__(self, program: str) -> None:
        self.tree = ast.parse(program)
        self.nodes = walk(self.tree)
        self.text = Text(program)
        self.functions = {}  # type: Dict[str, FunctionNode]
        self.shadowed = []  # type: List[FunctionNode]
        for node in self.tree.body:
            if isinstance(node, FUNCTIONS) and not is_overload(node):
                if node.name in self.functions:
                    self.shadowed.append(self.functions.pop(node.name))
                self.functions[node.name] = node
        self.globals = bound(node for node in self.tree.body if not is_main_guard(node))


def first_line(node: ast.AST) -> int:
    """A definition's first decorator's line, else its own."""
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", ())])  # type: ignore[attr-defined]


def blocks(tree: ast.Module, nodes: Iterable[ast.AST]) -> List[Tuple[int, int, int, str]]:
    """Every definition and every other top-level statement: start, def line, end, name; outer before inner."""
    found = []
    for node in tree.body:
        if not isinstance(node, DEFINITIONS):
            found.append((first_line(node), node.lineno, node.end_lineno, ""))
    for node in nodes:
        if isinstance(node, DEFINITIONS):
            found.append((first_line(node), node.lineno, node.end_lineno, node.name))
    return sorted(found, key=lambda block: (block[0], -block[2], block[1]))


def is_main_guard(node: ast.AST) -> bool:
    """Whether a statement is `if __name__ == "__main__":`, either way round."""
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and len(node.test.ops) == 1):
        return False
    if not isinstance(node.test.ops[0], ast.Eq):
        return False
    sides = (node.test.left, node.test.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def is_overload(function: FunctionNode) -> bool:
    """Whether a definition is for type checkers alone."""
    return any("overload" in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in function.decorator_list)


def is_generator(function: FunctionNode) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(function.body))


def own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes under nodes that belong to the same scope."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(children(node))


def bound(statements: Iterable[ast.AST]) -> Set[str]:
    """The names that statements bind in their own scope."""
    names = set()  # type: Set[str]
    for node in own_nodes(statements):
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        else:
            # except ... as name; the captures of match: MatchAs and MatchStar have name, MatchMapping has rest
            for field in ("name", "rest"):
                name = getattr(node, field, None)  # type: Any
                if isinstance(name, str) and (isinstance(node, ast.ExceptHandler) or "Match" in type(node).__name__):
                    names.add(name)
    return names


def parameters(function: Union[FunctionNode, ast.Lambda]) -> Set[str]:
    args = function.args
    named = list(args.posonlyargs) + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]
    return {arg.arg for arg in named}

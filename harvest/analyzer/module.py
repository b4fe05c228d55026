"""What a module defines: its functions and classes, its global names, and the blocks that its lines make."""

import ast
from typing import Dict, Iterable, List, Optional, Tuple

from analyzer.bindings import Bindings
from analyzer.definitions import DEFINITIONS, FunctionNode, bound, first_line, is_main_guard
from analyzer.scopes import dotted
from analyzer.walking import walk


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
        self.globals = bound(node for node in self.tree.body if not is_main_guard(node))
        changing = {name for node in self.nodes if isinstance(node, ast.Global) for name in node.names}
        self.bindings = Bindings(self.tree.body, None, changing)
        self.functions = self.bindings.functions
        self.classes = {}  # type: Dict[str, ast.ClassDef]  # by qualified name, those in classes too
        self.bodies = {}  # type: Dict[str, Bindings]  # likewise
        self._lines = {}  # type: Dict[str, List[str]]
        self._add_classes("", self.bindings)

    def _add_classes(self, outer: str, of: Bindings) -> None:
        for name, node in of.classes.items():
            self.classes[outer + name] = node
            self.bodies[outer + name] = Bindings(node.body, of)
            self._add_classes(outer + name + ".", self.bodies[outer + name])

    def line(self, name: str) -> List[str]:
        """A class and those of the module that it inherits from, nearest first."""
        if name not in self._lines:
            found = []  # type: List[str]
            queue = [name]
            while queue:
                at = queue.pop(0)
                if at in self.classes and at not in found:
                    found.append(at)
                    queue.extend(dotted(base, {}) or "" for base in self.classes[at].bases)
            self._lines[name] = found
        return self._lines[name]

    def definition(self, qualname: str) -> Optional[FunctionNode]:
        """The function of a qualified name: f, or Class.method."""
        outer, _, name = qualname.rpartition(".")
        if not outer:
            return self.functions.get(name)
        return self.bodies[outer].functions.get(name) if outer in self.bodies else None


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

"""The smallest part of a module that a function runs in as it would in the whole.

A slice is whole top-level statements in the order of the text: those that bind a name which the function reaches, and those that
may change what such a name stands for. Where the text does not say what is reached, it is the whole module.
"""

import ast
from bisect import bisect_right
from typing import Dict, FrozenSet, Iterable, List, Optional, Set, Tuple

from analyzer.definitions import is_main_guard
from analyzer.effects import PROCESS, Effects, TooMuch
from analyzer.module import Module
from analyzer.scopes import Piece, blanks_above, dotted, imported, pieces, root

# Names that take other names as text, and what does so in other modules.
_BY_NAME = frozenset(["globals", "eval", "exec", "__annotations__", "__builtins__"])
_BY_NAME_AT_TOP = frozenset(["locals", "vars", "dir"])
_BY_NAME_IMPORTED = frozenset(
    "sys.modules typing.get_type_hints inspect.getmodule inspect.getsource inspect.getmembers importlib.reload"
    " importlib.import_module pickle.loads pickle.dumps copyreg.pickle builtins.eval builtins.exec builtins.globals".split()
)
_BY_NAME_LAST = frozenset(name.split(".")[-1] for name in _BY_NAME_IMPORTED)
_BY_NAME_ATTRIBUTES = frozenset(["f_globals", "__globals__", "get_type_hints", "__subclasses__"])

# A module of more statements is data; one where more is to be followed is cut as far as this goes.
_MOST_PIECES = 4000
_MOST_STEPS = 1_000_000

Ranges = Tuple[Tuple[int, int], ...]


class Slicer:
    """Cuts the slices of one module."""

    def __init__(self, program: str, module: Module) -> None:
        self._lines = program.split("\n")
        self._found = pieces(program, module.tree)
        self._firsts = [piece.first for piece in self._found]
        self._names = imported(module.nodes)
        self._bytes = [0]  # of the lines before each line
        for line in self._lines:
            self._bytes.append(self._bytes[-1] + len(line.encode("utf-8")) + 1)
        # A main block never runs here, since no program is run as the main module.
        self._dropped = {piece.index for piece in self._found if all(is_main_guard(node) for node in piece.nodes)}
        self._whole = frozenset(piece.index for piece in self._found)
        self._cut = {}  # type: Dict[FrozenSet[int], Optional[Ranges]]
        self._wanted_by = {}  # type: Dict[str, Set[int]]  # a name that is reached, and the pieces that come with it
        self._always = self._dynamic = set(self._whole)  # type: Set[int]
        self._steps = 0
        if len(self._found) <= _MOST_PIECES:
            try:
                self._look(module)
            except TooMuch:
                self._always = self._dynamic = set(self._whole)

    def _look(self, module: Module) -> None:
        effects = Effects(module, self._found, self._names)
        for piece in self._found:
            if piece.index in self._dropped:
                continue
            for name in piece.binds | effects.of(piece):
                self._wanted_by.setdefault(name, set()).add(piece.index)
        self._always = self._wanted_by.get(PROCESS, set()) | {piece.index for piece in self._found if _always(piece)}
        # What runs when the module is imported may bind, read or take away any name: such a module is never cut.
        self._always |= {piece.index for piece in self._found if piece.now & (_BY_NAME | _BY_NAME_AT_TOP) and not _exports(piece)}
        self._always -= self._dropped
        self._dynamic = {piece.index for piece in self._found if self._by_name(piece)}

    def reach(self, first: int, names: Iterable[str]) -> FrozenSet[int]:
        """The indexes of the pieces that belong to the definition at a line, with further names that its calls use."""
        if self._steps > _MOST_STEPS:
            return self._whole
        start = self._found[bisect_right(self._firsts, first) - 1]
        kept = set()  # type: Set[int]
        stack = [start.index] + list(self._always)
        known = set()  # type: Set[str]
        fresh = set(names)
        while stack or fresh:
            for name in fresh:
                stack.extend(self._wanted_by.get(name, ()))
            known |= fresh
            fresh = set()
            while stack:
                index = stack.pop()
                if index not in kept:
                    kept.add(index)
                    fresh |= self._found[index].needs - known
        self._steps += len(kept) + len(known)
        if kept & self._dynamic or self._dynamic_names(names):
            return self._whole
        return frozenset(kept)

    def nodes(self, kept: FrozenSet[int]) -> List[ast.stmt]:
        return [node for index in sorted(kept) for node in self._found[index].nodes]

    def names(self, kept: FrozenSet[int]) -> Set[str]:
        """The global names that pieces need."""
        return set().union(*(self._found[index].needs for index in kept))

    def cut(self, kept: FrozenSet[int]) -> Optional[Ranges]:
        """The ranges of lines, 1-based and inclusive, of a slice; None for the whole module."""
        if len(kept) == len(self._found):
            return None
        if kept not in self._cut:
            ranges = self._ranges(kept)
            self._cut[kept] = ranges if self._holds(kept, ranges) else None
        return self._cut[kept]

    def size(self, cut: Optional[Ranges]) -> int:
        """The bytes of a slice's text."""
        if cut is None:
            return self._bytes[-1] - 1
        return sum(self._bytes[last] - self._bytes[first - 1] for first, last in cut)

    def _ranges(self, kept: FrozenSet[int]) -> Ranges:
        numbers = []  # type: List[int]
        for index in sorted(kept):
            piece = self._found[index]
            if numbers:
                numbers.extend(blanks_above(self._lines, piece.first, self._found[index - 1].last))
            numbers.extend(range(piece.first, piece.last + 1))
        ranges = []  # type: List[Tuple[int, int]]
        for number in numbers:
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1] = (ranges[-1][0], number)
            else:
                ranges.append((number, number))
        return tuple(ranges)

    def _holds(self, kept: FrozenSet[int], ranges: Ranges) -> bool:
        """Whether the lines are the statements that they were cut for. They are, but where a backslash joins one to the next line."""
        if not any(self._lines[self._found[index].last - 1].endswith("\\") for index in kept):
            return True
        numbers = [number for first, last in ranges for number in range(first, last + 1)]
        text = "\n".join(self._lines[number - 1] for number in numbers) + "\n"
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return False
        was = [_place(node) for node in self.nodes(kept)]
        return was == [_place(node, numbers) for node in tree.body]

    def _by_name(self, piece: Piece) -> bool:
        if piece.needs & _BY_NAME or piece.now & _BY_NAME_AT_TOP:
            return True
        for node in piece.every():
            if isinstance(node, ast.Attribute):
                if node.attr in _BY_NAME_ATTRIBUTES or node.attr in _BY_NAME_LAST and dotted(node, self._names) in _BY_NAME_IMPORTED:
                    return True
            elif isinstance(node, ast.Name) and self._names.get(node.id) in _BY_NAME_IMPORTED:
                return True
        return False

    def _dynamic_names(self, names: Iterable[str]) -> bool:
        return not (_BY_NAME | _BY_NAME_AT_TOP).isdisjoint(names)


def program(text: str, ranges: Optional[Ranges]) -> str:
    """The text of a slice."""
    if ranges is None:
        return text
    lines = text.split("\n")
    return "\n".join(line for first, last in ranges for line in lines[first - 1:last]) + "\n"


def _always(piece: Piece) -> bool:
    """Imports from __future__, and those of whatever a module has, which may stand for any name."""
    for node in piece.executed():
        if isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == "*"):
            return True
    return False


def _exports(piece: Piece) -> bool:
    """Whether a statement only says what `import *` takes of the module, which nobody does here."""
    node = piece.nodes[0]
    targets = node.targets if isinstance(node, ast.Assign) and len(piece.nodes) == 1 else []
    return [getattr(target, "id", "") for target in targets] == ["__all__"]


def _place(node: ast.AST, numbers: Optional[List[int]] = None) -> Tuple[str, int, int, int, int]:
    first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
    if numbers is not None:
        if last > len(numbers):
            return ("", 0, 0, 0, 0)
        first, last = numbers[first - 1], numbers[last - 1]
    return (type(node).__name__, first, node.col_offset, last, node.end_col_offset)  # type: ignore[attr-defined]

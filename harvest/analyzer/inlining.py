"""Names of a test that stand for a text: constants, what a call gave. The text takes the name's place."""

import ast
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

from analyzer.assertions import asserted
from analyzer.definitions import DEFINITIONS, FUNCTIONS, bound, parameters
from analyzer.expressions import UNPARSABLE, is_literal, one_line
from analyzer.module import Text
from analyzer.origins import Origins
from analyzer.walking import children, walk

_MUTABLE = (ast.List, ast.Dict, ast.Set)
_ATOMS = (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.List, ast.Dict, ast.Set)
# What may hold any expression between its own brackets, commas or operators.
_HOLDERS = (ast.Call, ast.keyword, ast.Compare, ast.List, ast.Tuple, ast.Set)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Value(NamedTuple):
    """The expression that a name stands for."""

    node: ast.expr


Known = Dict[str, Value]


def constants(body: Iterable[ast.AST], nodes: Iterable[ast.AST], text: Text) -> Known:
    """The names of a scope that are bound once, to a literal: one that can be changed where only one place reads it."""
    stored, loaded = _uses(nodes)
    return {
        name: Value(value)
        for name, value in _assigned(body)
        if stored[name] == 1 and is_literal(text.segment(value)) and (loaded.get(name, 0) <= 1 or not is_mutable(value))
    }


def results(body: Iterable[ast.AST], nodes: Iterable[ast.AST], text: Text) -> Known:
    """The names of a scope that are bound once, to what a call gives, and that nothing but asserts reads."""
    nodes = list(nodes)
    stored, loaded = _uses(nodes)
    claims = [claim for claim in (asserted(node, text) for node in nodes if isinstance(node, ast.stmt)) if claim is not None]
    _, claimed = _uses(node for claim in claims for value in claim.values for node in walk(value))
    return {
        name: Value(value)
        for name, value in _assigned(body)
        if isinstance(value, ast.Call) and stored[name] == 1 and loaded.get(name, 0) == claimed.get(name, 0)
    }


def is_mutable(value: ast.AST) -> bool:
    return any(isinstance(node, _MUTABLE) for node in walk(value))


def _assigned(body: Iterable[ast.AST]) -> Iterator[Tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def _uses(nodes: Iterable[ast.AST]) -> Tuple[Dict[str, int], Dict[str, int]]:
    stored, loaded = {}, {}  # type: Dict[str, int], Dict[str, int]
    for node in nodes:
        if isinstance(node, ast.Name):
            count = loaded if isinstance(node.ctx, ast.Load) else stored
            count[node.id] = count.get(node.id, 0) + 1
    return stored, loaded


class Edits:
    """Rewrites a piece of a test's text: known names by what they stand for, and names of the module by those that it has itself."""

    def __init__(self, text: Text, known: Known, origins: Origins, rebound: Set[str]) -> None:
        """rebound are names of the test that are bound by more than an import."""
        self._text = text
        self._known = known
        self._origins = origins
        self._rebound = rebound

    def lines(self, node: ast.AST, lines: List[str], first: int) -> List[str]:
        """The lines of a node, of which the first has number first."""
        raw = [line.encode("utf-8") for line in lines]
        parts = node.body if isinstance(node, FUNCTIONS) else [node]  # decorators and defaults are none of the body's
        edits = [edit for part in parts for edit in self._of(part, set(), ast.Module, ())]
        for part, new in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True):
            line = raw[part.lineno - first]
            raw[part.lineno - first] = line[:part.col_offset] + new.encode("utf-8") + line[part.end_col_offset:]  # type: ignore[operator]
        return [line.decode("utf-8") for line in raw]

    def _of(self, node: ast.AST, shadowed: Set[str], holder: type, within: Tuple[str, ...]) -> Iterator[Tuple[ast.expr, str]]:
        if isinstance(node, _COMPREHENSIONS):
            shadowed = shadowed | bound(part.target for part in node.generators)
        elif isinstance(node, ast.Lambda):
            shadowed = shadowed | parameters(node)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            new = self._new(node, shadowed, holder, within)
            if new is not None:
                yield node, new
                return
        for child in children(node):
            if not isinstance(child, DEFINITIONS):
                yield from self._of(child, shadowed, type(node), within)

    def _new(self, node: ast.expr, shadowed: Set[str], holder: type, within: Tuple[str, ...]) -> Optional[str]:
        """What takes the place of a name; None where it stays, or where its place in the text is not known: in f-strings before 3.12."""
        parts = _dotted(node)
        if not parts or parts[0] in shadowed or node.lineno != node.end_lineno or not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
            return None
        try:
            if self._text.segment(node) != ".".join(parts):
                return None
        except (IndexError, UnicodeDecodeError):
            return None
        value = self._known.get(parts[0])
        if value is not None:
            return self._value(parts[0], value.node, shadowed, holder, within) if len(parts) == 1 and parts[0] not in within else None
        return self._origins.name(parts) if parts[0] not in self._rebound else None

    def _value(self, name: str, node: ast.expr, shadowed: Set[str], holder: type, within: Tuple[str, ...]) -> Optional[str]:
        try:
            if node.lineno != node.end_lineno:
                text = one_line(self._text.segment(node))
            else:
                text = self._text.segment(node)
                edits = self._of(node, shadowed, ast.Expression, within + (name,))
                for part, new in sorted(edits, key=lambda edit: edit[0].col_offset, reverse=True):
                    start, end = part.col_offset - node.col_offset, part.end_col_offset - node.col_offset  # type: ignore[operator]
                    raw = text.encode("utf-8")
                    text = (raw[:start] + new.encode("utf-8") + raw[end:]).decode("utf-8")
        except UNPARSABLE:
            return None
        if "\n" in text:
            return None
        bare = isinstance(node, ast.Tuple) and bool(node.elts) and node.elts[0].col_offset == node.col_offset
        plain = isinstance(node, _ATOMS) or isinstance(node, ast.Tuple) or holder in _HOLDERS
        return text if plain and not bare else "(%s)" % text


def _dotted(node: ast.AST) -> Tuple[str, ...]:
    parts = []  # type: List[str]
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id,) + tuple(reversed(parts)) if isinstance(node, ast.Name) else ()

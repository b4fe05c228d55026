"""A function without what a copy of it changes: the normalised tree, for copies, and its tokens, for what is nearly one.

Left out are comments, formatting, docstrings, annotations, and the names of the function, its parameters and its variables.
Kept are attributes, keywords of calls, constants with their types, and builtins. A global name stands for what it is bound to:
an imported name for where it is from, a definition for its own normalised tree, so that `return helper(x)` is the same in two modules
only where the helper is. The trees are the interpreter's: fingerprints of two versions are not compared.
"""

import ast
import warnings
from hashlib import sha256
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from analyzer import source
from analyzer.definitions import DEFINITIONS, FUNCTIONS, FunctionNode, bound, first_line
from analyzer.module import Module
from analyzer.walking import children, walk

TREE_BYTES = 16  # of a digest: as many as in an id

_IMPORTS = (ast.Import, ast.ImportFrom)
# What says nothing of what a program does, or says it twice.
_LEFT_OUT = frozenset(["ctx", "type_comment", "kind", "annotation", "returns", "type_params"])
_NAMED = frozenset(["id", "arg", "name", "asname", "rest"])
_SILENT = frozenset("Name Constant Expr arguments Load Store Del".split())
_NAME = "\0"  # in front of a variable's name: no word begins with it


Fingerprint = Tuple[str, List[str]]


def fingerprints(program: str, whole: bool = False) -> Dict[str, Any]:
    """Those of every function of a program that is not inside another, or that of the whole program."""
    program = source.normal(program)
    source.gate(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = Module(program)
    prints = Fingerprints(module)
    return {"fingerprints": [prints.described(node) for node in ([module.tree] if whole else _outermost(module.tree))]}


def _outermost(scope: ast.AST) -> Iterator[FunctionNode]:
    for node in children(scope):
        if isinstance(node, FUNCTIONS):
            yield node
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            yield from _outermost(node)


class Fingerprints:
    """Those of one module's functions."""

    def __init__(self, module: Module) -> None:
        self._bindings = {}  # type: Dict[str, List[ast.stmt]]
        # What is bound in a branch that nobody can say is taken stands for the whole statement.
        for statements in (module.bindings.statements, module.tree.body):
            known = set(self._bindings)
            for node in statements:
                for name in bound([node]) - known:
                    self._bindings.setdefault(name, []).append(node)
        self._meanings = {}  # type: Dict[str, str]

    def of(self, node: Any) -> Fingerprint:
        """The digest of the normalised tree, in hex, and its tokens."""
        local = _locals(node)
        return _hash(_Tree(self, node, local).all()), _Tokens(self, node, local).all()

    def described(self, node: Any) -> Optional[Dict[str, Any]]:
        """A function's, or the whole module's, as answers have it; None for one that needs others in a longer chain than the stack."""
        try:
            tree, tokens = self.of(node)
        except RecursionError:
            return None
        if isinstance(node, ast.Module):
            return {"tree": tree, "tokens": tokens, "start": 1, "end": max([1] + [part.end_lineno or 1 for part in node.body])}
        return {"tree": tree, "tokens": tokens, "start": first_line(node), "end": node.end_lineno}

    def meaning(self, name: str) -> str:
        """What a global name stands for, whatever it is called."""
        if name not in self._bindings:
            return name
        if name not in self._meanings:
            self._meanings[name] = "recursive"  # for whoever asks while the answer is being made
            try:
                parts = [self._binding(name, node) for node in self._bindings[name]]
            except RecursionError:
                parts = [name]  # definitions that need one another in a longer chain than the stack
            self._meanings[name] = parts[0] if len(parts) == 1 else _hash(parts)
        return self._meanings[name]

    def _binding(self, name: str, node: ast.stmt) -> str:
        if isinstance(node, _IMPORTS):
            return _imported(name, node)
        return self._digest(node)

    def _digest(self, node: ast.AST) -> str:
        return _hash(_Tree(self, node, _locals(node)).all())


def _hash(parts: Sequence[str]) -> str:
    text = "\0".join(parts)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:2 * TREE_BYTES]


def _constant(value: Any) -> str:
    text = "%s %a" % (type(value).__name__, value)
    return text if len(text) <= 64 else _hash([text])


def _imported(name: str, node: Any) -> str:
    for alias in node.names:
        if (alias.asname or alias.name.split(".")[0]) == name:
            source = alias.name if alias.asname else name
            return source if isinstance(node, ast.Import) else "%s%s.%s" % ("." * (node.level or 0), node.module or "", alias.name)
    return name


class _Walk:
    """The parts of a tree in the order of the text."""

    def __init__(self, prints: Fingerprints, top: ast.AST, local: Set[str]) -> None:
        self.prints = prints
        self.top = top
        self.local = local

    def all(self) -> List[str]:
        # Not by recursion: what the parser takes may be nested deeper than its stack.
        parts = []  # type: List[str]
        stack = [self.top]  # type: List[Any]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item if item[:1] != _NAME else self.name(item[1:]))
            else:
                stack.extend(reversed(self.node(item)))
        return parts

    def node(self, node: ast.AST) -> List[Any]:
        """What stands for a node: words, names behind _NAME, whose turn is when they are reached, and nodes."""
        raise NotImplementedError

    def name(self, name: str) -> str:
        raise NotImplementedError

    def fields(self, node: ast.AST) -> List[Tuple[str, Any]]:
        """A node's fields that matter."""
        if isinstance(node, ast.Constant):
            return [] if node.value is None else [("value", _constant(node.value))]
        found = []  # type: List[Tuple[str, Any]]
        for field in node._fields:
            value = getattr(node, field, None)
            if value is None or field in _LEFT_OUT:
                continue
            if field == "body" and isinstance(node, DEFINITIONS + (ast.Module,)):
                value = _without_docstring(value)
                if isinstance(node, ast.Module):  # what is imported is where it is used
                    value = [part for part in value if not isinstance(part, _IMPORTS)]
            elif field in _NAMED and isinstance(value, str) and self._is_name(node, field):
                value = _NAME + value
            elif field == "names" and isinstance(node, (ast.Global, ast.Nonlocal)):
                value = [_NAME + name for name in value]
            found.append((field, value))
        return found

    def _is_name(self, node: ast.AST, field: str) -> bool:
        """Whether a field holds a variable's name: the keyword of a call and the name of a module are none."""
        return not isinstance(node, ast.keyword) and not (isinstance(node, ast.alias) and field == "name")


class _Tree(_Walk):
    """All of a tree: names are numbered in the order in which they come."""

    def __init__(self, prints: Fingerprints, top: ast.AST, local: Set[str]) -> None:
        super().__init__(prints, top, local)
        self.numbers = {}  # type: Dict[str, str]

    def name(self, name: str) -> str:
        if name not in self.local:
            return "g " + self.prints.meaning(name)
        return self.numbers.setdefault(name, "v %d" % len(self.numbers))

    def node(self, node: ast.AST) -> List[Any]:
        node = _plain(node)
        parts = ["(", type(node).__name__]  # type: List[Any]
        for field, value in self.fields(node):
            parts.append(field)
            if isinstance(value, list):
                parts.append("[")
                parts.extend(item if isinstance(item, (ast.AST, str)) else repr(item) for item in value)
                parts.append("]")
            else:
                parts.append(value if isinstance(value, (ast.AST, str)) else repr(value))
        parts.append(")")
        return parts


class _Tokens(_Walk):
    """The words of a tree: variables are all one word, so that one more of them changes only what is near it."""

    def name(self, name: str) -> str:
        return "_" if name in self.local else self.prints.meaning(name)

    def node(self, node: ast.AST) -> List[Any]:
        node = _plain(node)
        kind = type(node).__name__
        parts = [] if kind in _SILENT else [kind]  # type: List[Any]
        for _, value in self.fields(node):
            if isinstance(value, list):
                parts.extend(item for item in value if isinstance(item, (ast.AST, str)))
            elif isinstance(value, (ast.AST, str)):
                parts.append(value)
        return parts


def _plain(node: ast.AST) -> ast.AST:
    """An annotated assignment is the one without the annotation."""
    if not isinstance(node, ast.AnnAssign):
        return node
    if node.value is None:
        return ast.Pass()
    return ast.Assign(targets=[node.target], value=node.value)


def _without_docstring(body: List[ast.stmt]) -> List[ast.stmt]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        body = body[1:]
    return body or [ast.Pass()]


def _locals(top: ast.AST) -> Set[str]:
    """Every name that is bound in a definition, itself included, or by a statement, and is not declared global there."""
    names, outer = set(), set()  # type: Set[str], Set[str]
    for node in walk(top):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Global) and not isinstance(top, ast.Module):
            outer.update(node.names)
        elif isinstance(node, DEFINITIONS + (ast.alias, ast.ExceptHandler)) or "Match" in type(node).__name__:
            names |= bound([node])
    if isinstance(top, ast.Module):
        outer = bound(node for node in top.body if isinstance(node, _IMPORTS))
    return names - outer

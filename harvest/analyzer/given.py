"""Calls of a function that others have written: words of a language model, rows of a file."""

import ast
from typing import List, NamedTuple

from analyzer.expressions import UNPARSABLE, closes, expression
from analyzer.module import Module, Text
from analyzer.scopes import dotted


class Refused(NamedTuple):
    """A call that is not taken."""

    reason: str
    detail: str


class Callee:
    """What a call of a function calls: the entry or, of a method, the method of an object that the call makes: `Conn(1, 2).query()`."""

    def __init__(self, module: Module, function: str, entry: str) -> None:
        self.entry = entry
        self._module = module
        self._owner, _, self._method = function.rpartition(".")
        self._attribute = entry.rpartition(".")[2]  # the method's name as it is outside of the class

    def is_called(self, call: str, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and (Text(call).segment(node.func) == self.entry or self._of_object(node))

    def calls(self, text: str) -> List[str]:
        """The calls in a text: a line that is one, a code block of them, or calls among other words."""
        found = calls_in(text, self.entry) or self._of_objects(text)
        return found or [call for line in text.split("\n") for call in self._of_objects(line)][:100]

    def is_call(self, text: str) -> bool:
        """Whether a text is a call and nothing else."""
        try:
            tree = expression(text)
        except UNPARSABLE:
            return False
        return self.is_called(text, tree) and closes(text, tree)

    def _of_objects(self, text: str) -> List[str]:
        """The first call of the method on an object in an expression."""
        text = text.strip()
        if not self._owner or ").%s(" % self._attribute not in text:
            return []
        try:
            tree = expression(text)
        except UNPARSABLE:
            return []
        return [" ".join(Text(text).segment(node).split("\n")) for node in ast.walk(tree) if self._of_object(node)][:1]

    def _of_object(self, node: ast.AST) -> bool:
        if not (self._owner and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == self._attribute):
            return False
        made = dotted(node.func.value.func, {}) if isinstance(node.func.value, ast.Call) else None
        having = (base for base in self._module.line(made or "") if self._method in self._module.bodies[base].functions)
        return next(having, None) == self._owner


def calls_in(text: str, entry: str) -> List[str]:
    """Expressions in a text that begin with a call of the entry, to where their brackets close."""
    found = []
    start = text.find(entry + "(")
    while start >= 0:
        end = closing(text, start + len(entry))
        before = text[start - 1:start]
        if end and not (before.isalnum() or before in ("_", ".")) and text[:start].split("\n")[-1].strip() not in ("def", "async def"):
            found.append(" ".join(text[start:end].split("\n")))
        start = text.find(entry + "(", end or start + 1)
    return found[:100]


def closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one at a place; 0 where there is none."""
    depth, quote = 0, ""
    n = at
    while n < len(text):
        c = text[n]
        if quote:
            if c == "\\":
                n += 1
            elif text.startswith(quote, n):
                n += len(quote) - 1
                quote = ""
        elif c in "'\"":
            quote = c * 3 if text.startswith(c * 3, n) else c
            n += len(quote) - 1
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return n + 1
        n += 1
    return 0

"""Makes calls of a function whose program is given: typed ones, mutants of calls, and what others have written as calls.

The request's `generate` is {"entry": str, "function": str, "seed": str, "defaults": bool, "typed": int, "corpus": [str],
"mutants": int, "texts": [str], "have": [str], "known": [str]}: `function` is the qualified name of the definition that `entry` names, `texts` hold calls
among other words, `have` are calls that are there, and `known` keys of such. The answer has `calls`, each {"call", "generator", "key"}, where
calls of equal keys differ in nothing but how they are written, `keys` of `have`, and `bad`, {reason: count}, of the texts.
"""

import ast
import hashlib
import warnings
from typing import Any, Dict, List, Optional, Set

from analyzer.definitions import BUILTINS, is_property
from analyzer.driving import collector_of, driven, needs_helper
from analyzer.expressions import UNPARSABLE, expression, free_names
from analyzer.module import Module, Text
from analyzer.mutate import Mutator
from analyzer.scopes import imported
from analyzer.signatures import parameters_of
from analyzer.surroundings import Surroundings
from analyzer.typed import Typed
from analyzer.uses import Uses


def generate(head: Dict[str, Any], program: str) -> Dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _Generator(head, program).answer()


_CALL = "<call>"


class _Generator:
    def __init__(self, head: Dict[str, Any], program: str) -> None:
        self.head = head
        self.entry = head["entry"]  # type: str
        module = Module(program)
        self.globals = module.globals
        self._imports = {name: full for name, full in imported(module.nodes).items() if name in module.globals}
        self._collector = collector_of(module)
        self.node = module.definition(head["function"])
        # What a method's call gives first: the instance or the class that the entry names.
        decorators = [getattr(decorator, "id", "") for decorator in self.node.decorator_list] if self.node is not None else []
        self.bound = "." in head["function"] and "staticmethod" not in decorators
        self.surroundings = Surroundings(module)
        self._way = None  # type: Optional[str]  # how a call is driven, around _CALL
        self.found = []  # type: List[Dict[str, str]]
        self.bad = {}  # type: Dict[str, int]
        self.keys = [key(call) for call in head.get("have") or ()]
        self._known = set(head.get("known") or ()) | set(self.keys)  # type: Set[str]

    def answer(self) -> Dict[str, Any]:
        if self.node is not None and (self._collector or not needs_helper(self.node)):
            if is_property(self.node):  # there is one way to read it
                if self.head.get("defaults"):
                    self._take(self.entry, "default")
                return {"calls": self.found, "keys": self.keys, "bad": self.bad}
            typed = Typed(self.surroundings, Uses(self.surroundings), self.head["seed"])
            if self.head.get("defaults") and all(p.default is not None or p.kind in ("var", "keywords") for p in parameters_of(self.node, self.bound)):
                self._take("%s()" % self.entry, "default")
            for text in self.head.get("texts") or ():
                self._read(text)
            for call in typed.calls(self.entry, self.node, self.head.get("typed") or 0, self.bound):
                self._take(call, "typed")
            corpus = self.head.get("corpus") or []
            if corpus and self.head.get("mutants"):
                for call in Mutator(typed, self.entry, self.node, self.bound).calls(corpus, self.head["mutants"], corpus):
                    self._take(call, "mutated")
        return {"calls": self.found, "keys": self.keys, "bad": self.bad}

    def _take(self, call: str, generator: str) -> str:
        """Adds a call, or says why not."""
        try:
            call = self._driven(call, expression(call))
            known = key(call)
            names = free_names(call)
        except UNPARSABLE:
            return "bad_call"
        if not names <= self.globals | BUILTINS:
            return "unknown_names"
        if known in self._known:
            return "duplicate_case"
        self._known.add(known)
        self.found.append({"call": call, "generator": generator, "key": known})
        return ""

    def _driven(self, call: str, tree: ast.AST) -> str:
        """A bare call of a generator or coroutine function runs nothing: it is wrapped in what runs it to its end."""
        if not isinstance(tree, ast.Call) or Text(call).segment(tree.func) != self.entry:
            return call
        if self._way is None:
            self._way = driven(_CALL, self.node, self._imports, self.globals, self._collector)
        return self._way.replace(_CALL, call)

    def _read(self, text: str) -> None:
        """Takes the calls of the entry in a text: a line that is one, a code block of them, or calls among other words."""
        calls = _calls(text, self.entry)
        if not calls:
            self.bad["no_call"] = self.bad.get("no_call", 0) + 1
        for call in calls:
            reason = self._take(call, "given")
            if reason:
                self.bad[reason] = self.bad.get(reason, 0) + 1


def key(call: str) -> str:
    """The same for calls that differ in spaces, quotes and brackets only."""
    return hashlib.sha256(ast.dump(expression(call)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _calls(text: str, entry: str) -> List[str]:
    """Expressions in a text that begin with a call of the entry, to where their brackets close."""
    found = []
    start = text.find(entry + "(")
    while start >= 0:
        end = _closing(text, start + len(entry))
        before = text[start - 1:start]
        if end and not (before.isalnum() or before in ("_", ".")) and text[:start].split("\n")[-1].strip() not in ("def", "async def"):
            found.append(" ".join(text[start:end].split("\n")))
        start = text.find(entry + "(", end or start + 1)
    return found[:100]


def _closing(text: str, at: int) -> int:
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

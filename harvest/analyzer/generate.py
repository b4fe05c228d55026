"""Makes calls of a function whose program is given: typed ones, mutants of calls, and what others have written as calls.

The request's `generate` is {"entry": str, "function": str, "seed": str, "defaults": bool, "typed": int, "corpus": [str],
"mutants": int, "given": [{"call": str} or {"input": str}], "texts": [str], "have": [str], "known": [str]}: `function` is the qualified name of the
definition that `entry` names, `given` are calls or argument lists, `texts` hold calls among other words, `have` are calls that are there, and `known` keys of
such. The answer has `calls`, each {"call", "generator", "key"}, where calls of equal keys differ in nothing but how they are written, `keys` of `have`,
`refused`, {"reason", "detail"} of each that was given and is not taken, and `bad`, {reason: count}, of the texts.
"""

import ast
import hashlib
import warnings
from typing import Any, Dict, List, Optional, Set

from analyzer.definitions import BUILTINS, is_property
from analyzer.driving import collector_of, driven, needs_helper
from analyzer.expressions import UNPARSABLE, expression, free_names, message, short
from analyzer.given import Callee, Refused
from analyzer.module import Module
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
        self.refused = []  # type: List[Refused]
        self._callee = Callee(module, head["function"], self.entry)
        self.keys = [key(call) for call in head.get("have") or ()]
        self._known = set(head.get("known") or ()) | set(self.keys)  # type: Set[str]

    def answer(self) -> Dict[str, Any]:
        if self.node is not None and (self._collector or not needs_helper(self.node)):
            if is_property(self.node):  # there is one way to read it
                if self.head.get("defaults"):
                    self._take(self.entry, "default")
                return self._answer()
            typed = Typed(self.surroundings, Uses(self.surroundings), self.head["seed"])
            if self.head.get("defaults") and all(p.default is not None or p.kind in ("var", "keywords") for p in parameters_of(self.node, self.bound)):
                self._take("%s()" % self.entry, "default")
            for given in self.head.get("given") or ():
                self._given(given)
            for text in self.head.get("texts") or ():
                self._read(text)
            for call in typed.calls(self.entry, self.node, self.head.get("typed") or 0, self.bound):
                self._take(call, "typed")
            corpus = self.head.get("corpus") or []
            if corpus and self.head.get("mutants"):
                for call in Mutator(typed, self.entry, self.node, self.bound).calls(corpus, self.head["mutants"], corpus):
                    self._take(call, "mutated")
        return self._answer()

    def _answer(self) -> Dict[str, Any]:
        return {"calls": self.found, "keys": self.keys, "bad": self.bad, "refused": [refused._asdict() for refused in self.refused]}

    def _take(self, call: str, generator: str) -> Optional[Refused]:
        """Adds a call, or says why not."""
        try:
            driven_call = self._driven(call, expression(call))
            known = key(driven_call)
            unknown = free_names(driven_call) - self.globals - BUILTINS
        except UNPARSABLE as error:
            return Refused("bad_call", message(call, error))
        if unknown:
            return Refused("unknown_names", "%s uses %s" % (short(call), ", ".join(sorted(unknown))))
        if known in self._known:
            return Refused("duplicate_case", short(call))
        self._known.add(known)
        self.found.append({"call": driven_call, "generator": generator, "key": known})
        return None

    def _driven(self, call: str, tree: ast.AST) -> str:
        """A bare call of a generator or coroutine function runs nothing: it is wrapped in what runs it to its end."""
        if not self._callee.is_called(call, tree):
            return call
        if self._way is None:
            self._way = driven(_CALL, self.node, self._imports, self.globals, self._collector)
        return self._way.replace(_CALL, call)

    def _read(self, text: str) -> None:
        """Takes the calls in a text."""
        calls = self._callee.calls(text)
        if not calls:
            self.bad["no_call"] = self.bad.get("no_call", 0) + 1
        for call in calls:
            refused = self._take(call, "given")
            if refused is not None:
                self.bad[refused.reason] = self.bad.get(refused.reason, 0) + 1

    def _given(self, given: Dict[str, str]) -> None:
        """Takes a call that somebody gives, or the arguments of one."""
        if "call" in given:
            call, why = given["call"], "it does not call %s" % self.entry
            calls = self._callee.calls(call)
        else:
            call, why = "%s(%s)" % (self.entry, given["input"]), "the input is not an argument list"
            calls = [call] if self._callee.is_call(call) else []
        if not calls:
            self.refused.append(Refused("bad_call", "%s: %s" % (short(call), why)))
        for call in calls:
            refused = self._take(call, "given")
            if refused is not None:
                self.refused.append(refused._replace(reason="local_names") if refused.reason == "unknown_names" else refused)


def key(call: str) -> str:
    """The same for calls that differ in spaces, quotes and brackets only."""
    return hashlib.sha256(ast.dump(expression(call)).encode("utf-8", "backslashreplace")).hexdigest()[:16]

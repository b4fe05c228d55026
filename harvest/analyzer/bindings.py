"""The definitions that a module, or the body of a class, has bound when it has run, also by way of if, try and with.

A branch is taken where conditions.py can say so. A definition of another branch is left out, and so is one of which only running the module
would tell whether it, or which of several of its name, is bound. Loops and match statements are not looked into.
"""

import ast
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

from analyzer.conditions import Conditions, Raises, exception, exported
from analyzer.definitions import DEFINITIONS, FUNCTIONS, FunctionNode, bound, is_accessor, is_main_guard, is_overload

NOT_TAKEN, UNDECIDED, SHADOWED = "not_taken", "undecided", "shadowed"

_IMPORTS = (ast.Import, ast.ImportFrom)
_BLOCKS = (ast.If, ast.Try, ast.With)


class Unbound(NamedTuple):
    """A definition that is not what its name stands for in the end."""

    node: Any
    reason: str
    detail: str


class Bindings:
    """Of statements that are executed once, in their order: those of a module or of a class."""

    def __init__(self, statements: List[ast.stmt], outer: Optional["Bindings"] = None, changing: Optional[Set[str]] = None) -> None:
        self.statements = []  # type: List[ast.stmt]  # those that are executed, whatever block they are in
        self.left = []  # type: List[Unbound]
        self._in_class = outer is not None
        self._last = {}  # type: Dict[str, Tuple[Any, Optional[bool]]]  # what defines a name, and whether it surely does
        self._conditions = Conditions(outer._conditions if outer else None, changing)
        try:
            self._run(statements, True, False) if _branches(statements) else self._straight(statements)
        except RecursionError:  # branches of branches, some hundreds deep
            self._straight(statements)
        sure = {name: node for name, (node, is_sure) in self._last.items() if is_sure}
        self.functions = {name: node for name, node in sure.items() if isinstance(node, FUNCTIONS)}  # type: Dict[str, FunctionNode]
        self.classes = {name: node for name, node in sure.items() if isinstance(node, ast.ClassDef)}  # type: Dict[str, ast.ClassDef]

    def _straight(self, statements: List[ast.stmt]) -> None:
        self.statements, self.left, self._last = statements, [], {}
        for node in statements:
            if isinstance(node, DEFINITIONS):
                self._define(node, True)

    def _define(self, node: Any, sure: Optional[bool]) -> None:
        if isinstance(node, FUNCTIONS) and (is_overload(node) or self._in_class and is_accessor(node)):
            return
        if sure is False:
            self.left.append(Unbound(node, NOT_TAKEN, "line %d is of a branch that is not taken" % node.lineno))
            return
        before, was_sure = self._last.pop(node.name, (None, None))
        if before is not None and was_sure:
            if not sure:
                self._undecided(before)
            elif not self._in_class:
                self.left.append(Unbound(before, SHADOWED, "the definition at line %d" % before.lineno))
        if not sure:
            self._undecided(node)
        self._last[node.name] = node, sure

    def _undecided(self, node: Any) -> None:
        self.left.append(Unbound(node, UNDECIDED, "only running the module tells whether line %d is what it defines" % node.lineno))

    def _replace(self, names: Iterable[str], by: ast.stmt) -> None:
        for name in names:
            node, sure = self._last.pop(name, (None, None))
            if sure:
                self.left.append(Unbound(node, SHADOWED, "the import at line %d takes its place" % by.lineno))

    def _run(self, nodes: List[Any], sure: Optional[bool], guarded: bool) -> Optional[str]:
        """Goes through statements: "", the name of the exception that ends them, or None where nobody can say. Where nothing guards them, an
        exception is the end of the module, about which there is nothing to be known."""
        end = ""  # type: Optional[str]
        for node in nodes:
            ended = self._statement(node, sure, guarded)
            if ended == "" or not guarded:
                continue
            end = ended if end == "" else None
            sure = _both(sure, None if ended is None else False)
        return end

    def _statement(self, node: Any, sure: Optional[bool], guarded: bool) -> Optional[str]:
        if isinstance(node, ast.If):
            return self._if(node, sure, guarded)
        if isinstance(node, ast.Try):
            return self._try(node, sure, guarded)
        if isinstance(node, ast.With):
            return self._with(node, sure, guarded)
        if sure:
            self.statements.append(node)
        if isinstance(node, DEFINITIONS):
            self._define(node, sure)
            if sure:
                self._conditions.define(node.name)
            return ""
        if sure is False:
            return ""
        ended = self._conditions.execute(node)
        if not sure:
            self._conditions.forget(bound([node]))
        elif isinstance(node, _IMPORTS) and ended == "":
            self._replace(_bound_by(node), node)
        return ended

    def _if(self, node: ast.If, sure: Optional[bool], guarded: bool) -> Optional[str]:
        if is_main_guard(node):
            return self._run(node.orelse, sure, guarded)
        raised = ""
        value = None
        self._conditions.forget(bound([node.test]))
        try:
            value = self._conditions.truth(node.test) if sure is not False else None
        except Raises as error:
            raised = str(error) if guarded else ""
        if raised:
            sure = False
        taken = self._run(node.body, _both(sure, value), guarded)
        other = self._run(node.orelse, _both(sure, None if value is None else not value), guarded)
        if raised or value is None:
            return raised or ("" if taken == other == "" else None)
        return taken if value else other

    def _try(self, node: ast.Try, sure: Optional[bool], guarded: bool) -> Optional[str]:
        ended = self._run(node.body, sure, guarded or bool(node.handlers))
        left = False if ended == "" else None if ended is None else True  # type: Optional[bool]  # whether there is something to catch
        end = self._run(node.orelse, _both(sure, None if left is None else not left), guarded)
        for handler in node.handlers:
            catches = _catches(handler.type, ended)
            self._conditions.forget({handler.name} if handler.name else set())
            own = self._run(handler.body, _both(sure, _both(left, catches)), guarded)
            if own != "" and left is not False and catches is not False:
                end = own if left and catches else None
            left = left if catches is False else False if catches else _both(left, None)
        self._run(node.finalbody, sure, guarded)
        # That a handler is there for what nobody can say is what it is there for.
        return ended if left and ended else end

    def _with(self, node: ast.With, sure: Optional[bool], guarded: bool) -> Optional[str]:
        caught = [arg for item in node.items for arg in _suppressed(item.context_expr)]
        self._conditions.forget({name for item in node.items if item.optional_vars for name in bound([item.optional_vars])})
        ended = self._run(node.body, sure, guarded or bool(caught))
        return "" if caught and (ended is None or any(_catches(arg, ended) for arg in caught)) else ended


def _both(a: Optional[bool], b: Optional[bool]) -> Optional[bool]:
    """Whether both are true: None where nobody can say."""
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _branches(statements: List[ast.stmt]) -> bool:
    """Whether anything is to be decided: a definition in a block, or one that an import may replace."""
    top = set(statements)
    defined, imported = set(), set()  # type: Set[str], Set[str]
    for node in _flat(statements):
        if isinstance(node, DEFINITIONS):
            if node not in top:
                return True
            defined.add(node.name)
        elif isinstance(node, _IMPORTS):
            imported.update("*" if alias.name == "*" else (alias.asname or alias.name).split(".")[0] for alias in node.names)
    return "*" in imported and bool(defined) or not defined.isdisjoint(imported)


def _flat(statements: List[Any]) -> Iterator[Any]:
    """The statements that are there, and those in blocks of blocks of them."""
    stack = list(statements)
    while stack:
        node = stack.pop()
        if not isinstance(node, _BLOCKS + (ast.ExceptHandler,)):
            yield node
            continue
        for field in ("body", "orelse", "finalbody", "handlers"):
            if field != "body" or not is_main_guard(node):
                stack.extend(getattr(node, field, ()))


def _bound_by(node: Any) -> Iterable[str]:
    if isinstance(node, ast.ImportFrom):
        return exported(node) or ()
    return [(alias.asname or alias.name).split(".")[0] for alias in node.names]


def _catches(caught: Optional[ast.expr], raised: Optional[str]) -> Optional[bool]:
    """Whether a handler of exceptions takes one; None where nobody can say."""
    if caught is None:
        return True
    if not raised:
        return None
    answers = [_is(part, raised) for part in (caught.elts if isinstance(caught, ast.Tuple) else [caught])]
    return True if True in answers else None if None in answers else False


def _is(caught: ast.expr, raised: str) -> Optional[bool]:
    of = exception(getattr(caught, "id", ""))
    return None if of is None else issubclass(exception(raised), of)


def _suppressed(node: ast.expr) -> List[ast.expr]:
    """The exceptions of `contextlib.suppress(...)`."""
    if isinstance(node, ast.Call) and "suppress" in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
        return node.args
    return []

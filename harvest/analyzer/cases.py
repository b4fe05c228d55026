"""Calls of a module's functions that can be made on their own, and what the source says that they give."""

import ast
import doctest
import warnings
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from analyzer import claims
from analyzer.assertions import asserted
from analyzer.definitions import BUILTINS, DEFINITIONS, FUNCTIONS, bound, is_main_guard, own_nodes, parameters
from analyzer.driving import driven, helper
from analyzer.expressions import UNPARSABLE, closes, expression, free_names, is_literal, message, one_line, short
from analyzer.module import Text
from analyzer.scopes import dotted
from analyzer.statements import statements, without_asserts
from analyzer.units import INSTANCE, PROPERTY, Unit, Units
from analyzer.walking import children, walk

# What may stand around a call and still be part of the case: it consumes the value and gives a plain one.
_WRAPPERS = frozenset(
    "list tuple set frozenset dict sorted sum min max any all len next str repr round abs reversed enumerate".split()
)
_IMPORTED_WRAPPERS = frozenset(["islice", "itertools.islice", "asyncio.run"])
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_COMPOUND = tuple(
    getattr(ast, name)
    for name in ("For", "AsyncFor", "While", "With", "AsyncWith", "Try", "TryStar", "Match")
    if hasattr(ast, name)
)


class Case(NamedTuple):
    function: str
    call: str
    generator: str
    expected: Optional[str]


class CaseDrop(NamedTuple):
    function: str
    reason: str
    detail: str


class Inner(NamedTuple):
    """A call of a unit, or the reading of a property, and the variable that holds the object it is called on, if one does."""

    call: Union[ast.Call, ast.Attribute]
    unit: Unit
    holder: Optional[ast.Name]


class Held:
    """An object that a variable holds: its class, and the expression that made it."""

    def __init__(self, name: str, made: str) -> None:
        self.name = name
        self.made = made
        self.used = False


class Cases:
    """Collects cases and what became of the rest; every call that was found is in one of the two."""

    def __init__(self, program: str, units: Units) -> None:
        self.module = units.module
        self.units = units
        self.collector = helper(program)
        self._imports = {name: full for name, full in units.names.items() if name in self.module.globals}
        self._held = {}  # type: Dict[str, Held]
        self.found = []  # type: List[Case]
        self.drops = []  # type: List[CaseDrop]
        self._seen = {}  # type: Dict[Tuple[str, str], int]

    def harvest(self) -> None:
        """Finds the cases of a source file: doctests first, as they tell most, then asserts, then the main block."""
        self._doctests()
        for node in self.module.tree.body:
            if not isinstance(node, DEFINITIONS) and not is_main_guard(node):
                self._asserts([node], bound([node]) if isinstance(node, _COMPOUND) else set(), self.module.text, "assert")
        for node in self.module.nodes:
            if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
                self._held = {}
                self._asserts(node.body, parameters(node) | bound(node.body), self.module.text, "assert")
        for node in self.module.tree.body:
            if is_main_guard(node):
                local = bound(node.body)  # type: ignore[attr-defined]
                self._held = {}
                self._asserts(node.body, local, self.module.text, "assert")  # type: ignore[attr-defined]
                self._held = {}
                for part in without_asserts(node.body):  # type: ignore[attr-defined]
                    self._calls(part, self.module.text, local, "main", None, None)
                    self._hold(part, self.module.text, local)
        self._held = {}

    def anywhere(self) -> None:
        """Finds what else is called with arguments that do not depend on where the call stands. Nobody says that such calls run alone."""
        for node in self.module.tree.body:
            if not isinstance(node, DEFINITIONS) and not is_main_guard(node):
                self._calls(node, self.module.text, bound([node]) if isinstance(node, _COMPOUND) else set(), "call", None, None)
        self._inside(self.module.tree, set())

    def _inside(self, scope: ast.AST, local: Set[str]) -> None:
        for node in own_nodes(scope.body):  # type: ignore[attr-defined]
            if isinstance(node, FUNCTIONS):
                inner = local | parameters(node) | bound(node.body)
                for statement in node.body:
                    self._calls(statement, self.module.text, inner, "call", None, None)
                self._inside(node, inner)
            elif isinstance(node, ast.ClassDef):
                self._inside(node, local)

    def only(self, function: str) -> None:
        """Leaves out what is not about one function."""
        self.found = [case for case in self.found if case.function == function]
        self.drops = [drop for drop in self.drops if drop.function == function]

    def given(self, unit: Unit, text: str, whole: bool, expected: Optional[str]) -> None:
        """Takes a data set's own input: an argument list, or a whole call expression."""
        function = unit.qualname
        call = text if whole else "%s(%s)" % (unit.entry, text)
        try:
            node = expression(call)
        except UNPARSABLE as error:
            self.drops.append(CaseDrop(function, "bad_call", message(call, error)))
            return
        bare = isinstance(node, ast.Call) and Text(call).segment(node.func) == unit.entry
        if not whole and not (bare and closes(call, node)):
            self.drops.append(CaseDrop(function, "bad_call", "%s: the input is not an argument list" % short(call)))
            return
        self._add(Case(function, self._driven(unit, call) if bare else call, "dataset", expected))

    def claimed(self, unit: Unit, source: str) -> None:
        """Takes a data set's own test: the calls of a unit that it asserts something about, and its table of inputs."""
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        try:
            source.encode("utf-8")
            test = claims.read(source, unit.entry, self.module)
        except UNPARSABLE as error:
            self.drops.append(CaseDrop(unit.qualname, "bad_test", message(source, error)))
            return
        for statements, own in test.scopes:
            self._held = {}
            self._asserts(statements, own, test.text, "dataset")
        self._held = {}
        for arguments, expected in claims.table(test):
            self.given(unit, arguments, False, expected)

    def asserted(self, body: Iterable[ast.AST], local: Set[str], text: Text, kind: str) -> None:
        """Takes the calls that a stretch of code, with names of its own, asserts something about."""
        self._held = {}
        self._asserts(body, local, text, kind)
        self._held = {}

    def _doctests(self) -> None:
        parser = doctest.DocTestParser()
        for node in self.module.nodes:
            if not isinstance(node, DEFINITIONS + (ast.Module,)):
                continue
            text = ast.get_docstring(node, clean=False) or ""
            if ">>>" not in text:
                continue
            try:
                examples = parser.get_examples(text)
            except ValueError as error:
                name = getattr(node, "name", "")
                self.drops.append(CaseDrop(name, "bad_doctest", str(error)))
                continue
            self._examples(getattr(node, "name", ""), examples)

    def _examples(self, name: str, examples: List[doctest.Example]) -> None:
        local = set()  # type: Set[str]
        self._held = {}
        for example in examples:
            if example.options.get(doctest.SKIP):
                continue  # its author says that it does not do what it says, or not everywhere
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tree = ast.parse(example.source)
            except UNPARSABLE as error:
                self.drops.append(CaseDrop(name, "bad_doctest", message(example.source, error)))
                continue
            local |= bound(tree.body)
            text = Text(example.source)
            for statement in tree.body:
                value = statement.value if isinstance(statement, ast.Expr) else None
                want = example.want.strip() if example.exc_msg is None else ""
                self._calls(statement, text, local, "doctest", value, want if is_literal(want) else None)
                self._hold(statement, text, local)

    def _asserts(self, nodes: Iterable[ast.AST], local: Set[str], text: Text, kind: str) -> None:
        for node in statements(nodes):
            claim = asserted(node, text)
            for value in claim.values if claim is not None else ():
                self._calls(value, text, local, kind, claim.subject, claim.expected)
            self._hold(node, text, local)

    def _calls(
        self, root: ast.AST, text: Text, local: Set[str], kind: str, subject: Optional[ast.AST], expected: Optional[str]
    ) -> None:
        for node, inner, names in self._candidates(root, local):
            function = inner.unit.qualname
            held = self._held[inner.holder.id] if inner.holder is not None else None
            call = text.segment(node) if held is None else text.replaced(node, inner.holder, held.made)
            try:
                taken = free_names(call) - {function}
            except UNPARSABLE as error:
                self.drops.append(CaseDrop(function, "bad_call", message(call, error)))
                continue
            missing = {name for name in taken if name in names or name not in self.module.globals | BUILTINS}
            if missing and kind == "call":
                continue
            if missing:
                detail = "%s uses %s" % (short(call), ", ".join(sorted(missing)))
                self.drops.append(CaseDrop(function, "local_names", detail))
                continue
            claim = expected if node is subject and not (held is not None and held.used) else None
            self._add(Case(function, self._driven(inner.unit, call) if node is inner.call else call, kind, claim))

    def _hold(self, statement: ast.AST, text: Text, local: Set[str]) -> None:
        """Notes which variables hold an object that an expression makes anywhere, once a statement is done with."""
        for node in walk(statement):
            if isinstance(node, ast.Name) and node.id in self._held:
                self._held[node.id].used = True
        for name in bound([statement]):
            self._held.pop(name, None)
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call) and len(statement.targets) == 1):
            return
        target, name = statement.targets[0], dotted(statement.value.func, {})
        if isinstance(target, ast.Name) and name in self.units.classes and name.split(".")[0] not in local:
            try:
                made = one_line(text.segment(statement.value))
                if free_names(made) <= (self.module.globals | BUILTINS) - local:
                    self._held[target.id] = Held(name, made)
            except UNPARSABLE:
                return

    def _candidates(self, node: ast.AST, local: Set[str]) -> Iterator[Tuple[ast.Call, Inner, Set[str]]]:
        """Calls of the module's functions, outermost first: what surrounds one, itself, and the names not to use."""
        if isinstance(node, DEFINITIONS):
            return
        if isinstance(node, _COMPREHENSIONS):
            local = local | bound(part.target for part in node.generators)
        elif isinstance(node, ast.Lambda):
            local = local | parameters(node)
        below = iter(children(node))
        if isinstance(node, (ast.Call, ast.Attribute)):
            inner = self._inner(node, local)
            if inner is not None:
                yield node, inner, local
                call = inner.call.value if isinstance(inner.call, ast.Attribute) else inner.call
                below = iter(call.args + [keyword.value for keyword in call.keywords] if isinstance(call, ast.Call) else ())
        for child in below:
            yield from self._candidates(child, local)

    def _inner(self, node: ast.AST, local: Set[str]) -> Optional[Inner]:
        """The call of a module's function that node is, or that builtins are wrapped around."""
        while isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in self.module.functions:
                return None if function.id in local else Inner(node, self.units.found[function.id], None)
            if isinstance(function, ast.Attribute):
                unit, holder = self._method(function, local)
                if unit is not None:
                    return None if unit.kind == PROPERTY else Inner(node, unit, holder)
            if not node.args or not self._wraps(function, local):
                return None
            node = node.args[0]
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            unit, holder = self._method(node, local)
            if unit is not None and unit.kind == PROPERTY:
                return Inner(node, unit, holder)
        return None

    def _method(self, function: ast.Attribute, local: Set[str]) -> Tuple[Optional[Unit], Optional[ast.Name]]:
        """The method that C.name, C(...).name or a variable's .name is."""
        of = function.value
        if isinstance(of, ast.Name) and of.id in self._held:
            return self.units.method(self._held[of.id].name, function.attr), of
        name = dotted(of.func if isinstance(of, ast.Call) else of, {})
        if self.units.constructors.is_enum((name or "").rpartition(".")[0]):
            return self.units.method(name.rpartition(".")[0], function.attr), None
        if name not in self.units.classes or name.split(".")[0] in local:
            return None, None
        unit = self.units.method(name, function.attr)
        bound_to_object = unit is not None and unit.kind in (INSTANCE, PROPERTY)
        return (None if bound_to_object and not isinstance(of, ast.Call) else unit), None

    def _wraps(self, function: ast.AST, local: Set[str]) -> bool:
        if isinstance(function, ast.Name):
            if function.id in local:
                return False
            if function.id in self.module.globals:
                return function.id in _IMPORTED_WRAPPERS
            return function.id in _WRAPPERS
        if isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Name):
                return "%s.%s" % (function.value.id, function.attr) in _IMPORTED_WRAPPERS
            return isinstance(function.value, ast.Constant)
        return False

    def _driven(self, unit: Unit, call: str) -> str:
        return driven(call, unit.node, self._imports, self.module.globals, self.collector)

    def _add(self, case: Case) -> None:
        key = (case.function, case.call)
        if key not in self._seen:
            self._seen[key] = len(self.found)
            self.found.append(case)
            return
        first = self.found[self._seen[key]]
        if first.expected is None and case.expected is not None:
            self.found[self._seen[key]] = first._replace(expected=case.expected)
        self.drops.append(CaseDrop(case.function, "duplicate_case", short(case.call)))

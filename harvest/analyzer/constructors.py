"""Expressions that make an object of a class, from what its constructor wants and from what the module itself writes."""

import ast
from typing import Callable, Dict, List, Optional, Set, Tuple

from analyzer.definitions import BUILTINS, FUNCTIONS, FunctionNode
from analyzer.expressions import UNPARSABLE, free_names, one_line
from analyzer.module import Module
from analyzer.scopes import dotted

Made = Tuple[Optional[str], str]  # the expression, or why there is none

_ENUMS = frozenset("enum.Enum enum.IntEnum enum.StrEnum enum.Flag enum.IntFlag".split())
# Bases whose own constructor wants nothing, or that have none.
_OPEN = frozenset(
    "object Exception BaseException ValueError TypeError KeyError IndexError RuntimeError LookupError ArithmeticError"
    " AttributeError NotImplementedError OSError dict list set tuple str int float bytes frozenset abc.ABC typing.Generic"
    " typing.Protocol collections.OrderedDict collections.UserDict collections.UserList collections.Counter threading.Thread"
    " threading.local ast.NodeVisitor ast.NodeTransformer json.JSONEncoder json.JSONDecoder html.parser.HTMLParser".split()
)
_DATACLASSES = frozenset(["dataclass", "dataclasses.dataclass"])
_TUPLES = frozenset(["typing.NamedTuple"])
_MAX_LENGTH = 200  # of an expression that is found: the entry's name is in messages and in every text


class Constructors:
    """With guess, which makes an expression of a class's name, arguments that nobody has written are made too."""

    def __init__(self, module: Module, names: Dict[str, str], guess: Optional[Callable[[str], str]] = None) -> None:
        self._module = module
        self._guess = guess
        self._names = names
        self._classes = module.classes
        self._heirs = None  # type: Optional[Dict[str, List[str]]]
        self._made = {}  # type: Dict[str, Made]
        self._written = None  # type: Optional[Dict[str, List[str]]]

    def heirs(self, name: str) -> List[str]:
        """The classes of the module that inherit from one."""
        if self._heirs is None:
            self._heirs = {}
            for other in self._classes:
                for base in self._module.line(other)[1:]:
                    self._heirs.setdefault(base, []).append(other)
        return self._heirs.get(name, [])

    def owner(self, name: str, method: str) -> Optional[str]:
        """The class of the module that an object has a method from."""
        for at in self._module.line(name):
            if method in self._module.bodies[at].functions:
                return at
        return None

    def is_enum(self, name: str) -> bool:
        return name in self._classes and bool(self._foreign(name) & _ENUMS)

    def is_abstract(self, method: FunctionNode) -> bool:
        return any((dotted(d, self._names) or "").split(".")[-1].startswith("abstract") for d in method.decorator_list)

    def make(self, name: str) -> Made:
        """An expression that makes an object."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Made:
        abstract = self._abstract(name)
        if abstract:
            return None, "%s is abstract: %s" % (name, ", ".join(sorted(abstract)))
        if self.is_enum(name):
            members = [n.targets[0].id for n in self._module.bodies[name].statements if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)]
            members = [member for member in members if not member.startswith("_")]
            return ("%s.%s" % (name, members[0]), "") if members else (None, "%s has no members" % name)
        wanted = self._wanted(name)
        if wanted is not None and not wanted:
            return name + "()", ""
        written = self._calls().get(name)
        if written:
            return written[0], ""
        guess = self._guess(name) if wanted and self._guess is not None and "." not in name else ""
        if guess and self._stands(guess):
            return guess, ""
        if wanted is None:
            return None, "%s inherits its constructor from elsewhere" % name
        return None, "%s(%s) is called nowhere with arguments that stand on their own" % (name, ", ".join(wanted))

    def _stands(self, text: str) -> bool:
        """Whether an expression compiles, and stands on its own."""
        try:
            return len(text) <= _MAX_LENGTH and free_names(text) <= self._module.globals | BUILTINS
        except UNPARSABLE:
            return False

    def _abstract(self, name: str) -> Set[str]:
        """The abstract methods that a class has not overridden."""
        seen, left = set(), set()  # type: Set[str], Set[str]
        for owner in self._module.line(name):
            for child in self._module.bodies[owner].statements:
                if isinstance(child, FUNCTIONS) and child.name not in seen:
                    seen.add(child.name)
                    if self.is_abstract(child):
                        left.add(child.name)
                elif isinstance(child, ast.Assign):
                    seen.update(target.id for target in child.targets if isinstance(target, ast.Name))
        return left

    def _foreign(self, name: str) -> Set[str]:
        """The bases, by full name, that are not of the module."""
        found = set()  # type: Set[str]
        for owner in self._module.line(name):
            for base in self._classes[owner].bases:
                base = base.value if isinstance(base, ast.Subscript) else base
                full = dotted(base, self._names) or "?"
                if full not in self._classes:
                    found.add(full)
        return found

    def _wanted(self, name: str) -> Optional[List[str]]:
        """The arguments that a constructor must be given; None where it is not known."""
        foreign = self._foreign(name)
        for owner in self._module.line(name):
            node = self._classes[owner]
            for method in ("__new__", "__init__"):
                made = self._module.bodies[owner].functions.get(method)
                if made is not None:
                    return required(made)
            fields = any((dotted(d.func if isinstance(d, ast.Call) else d, self._names) or "") in _DATACLASSES for d in node.decorator_list)
            if fields or foreign & _TUPLES:
                return self._fields(name)
        return [] if foreign <= _OPEN and not self._metaclass(name) else None

    def _metaclass(self, name: str) -> bool:
        keywords = [k for owner in self._module.line(name) for k in self._classes[owner].keywords if k.arg == "metaclass"]
        return any(dotted(k.value, self._names) != "abc.ABCMeta" for k in keywords)

    def _fields(self, name: str) -> List[str]:
        """The fields without a default of a data class or named tuple."""
        fields = {}  # type: Dict[str, bool]
        for owner in reversed(self._module.line(name)):
            for child in self._module.bodies[owner].statements:
                if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
                    if "ClassVar" in ast.dump(child.annotation):
                        continue
                    fields[child.target.id] = child.value is not None and not _needed(child.value)
        return [field for field, given in fields.items() if not given]

    def _calls(self) -> Dict[str, List[str]]:
        """The calls of classes that the module writes, by class, that use nothing but what is global everywhere in it."""
        if self._written is not None:
            return self._written
        self._written = {}
        local = set()  # type: Set[str]
        calls = []  # type: List[Tuple[str, ast.Call]]
        for node in self._module.nodes:
            if isinstance(node, ast.arg):
                local.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in self._module.globals:
                local.add(node.id)
            elif isinstance(node, ast.Call):
                name = dotted(node.func, {})
                if name in self._classes:
                    calls.append((name or "", node))
        for name, call in calls:
            text = self._module.text.segment(call)
            try:
                text = one_line(text)
                names = free_names(text) if len(text) <= _MAX_LENGTH else {"?"}
            except UNPARSABLE:
                continue
            if names <= (self._module.globals | BUILTINS) - local:
                self._written.setdefault(name, []).append(text)
        return self._written


def required(method: FunctionNode) -> List[str]:
    """The parameters without a default of a method, but for the first."""
    args = method.args
    positional = (list(args.posonlyargs) + args.args)[1:]
    names = [arg.arg for arg in positional[: max(0, len(positional) - len(args.defaults))]]
    return names + [arg.arg for arg, value in zip(args.kwonlyargs, args.kw_defaults) if value is None]


def _needed(value: ast.AST) -> bool:
    """Whether the value of a field is `field(...)` without a default."""
    if not (isinstance(value, ast.Call) and (dotted(value.func, {}) or "").split(".")[-1] == "field"):
        return False
    return not {"default", "default_factory", "init"} & {keyword.arg for keyword in value.keywords}

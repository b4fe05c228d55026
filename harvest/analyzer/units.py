"""What of a module is harvested: its functions, and the methods of its classes with what makes an object to call them on."""

import ast
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from analyzer.bindings import Bindings
from analyzer.constructors import Constructors
from analyzer.definitions import FunctionNode, is_property
from analyzer.module import Module
from analyzer.scopes import dotted, imported

STATIC, CLASS, INSTANCE, PROPERTY = "static", "class", "instance", "property"

# What these decorate is not called by its name.
_ATTRIBUTES = frozenset("property cached_property abstractproperty setter getter deleter".split())
# Special methods are called by what they stand for, and are in the traces of those who do.
_OWN = ("__call__",)


class Unit(NamedTuple):
    """A definition that is harvested: `entry` is the expression that gives what is called, or a property's value."""

    entry: str
    qualname: str
    node: FunctionNode
    kind: str  # function, or how a method is bound


class Left(NamedTuple):
    """A definition that is found and left out."""

    name: str
    line: int
    reason: str
    detail: str


class Units:
    """The units of a module by qualified name, in the order of the text."""

    def __init__(self, module: Module, guess: Optional[Callable[[str], str]] = None) -> None:
        self.module = module
        self.names = imported(module.nodes)
        self.constructors = Constructors(module, self.names, guess)
        self.found = {}  # type: Dict[str, Unit]
        self.classes = module.classes
        self.left = []  # type: List[Left]
        for name, node in module.functions.items():
            self.found[name] = Unit(name, name, node, "function")
        self._unbound("", module.bindings)
        for qualname in module.classes:
            self._class(qualname)
        self.left.sort(key=lambda left: left.line)

    def entry(self, wanted: str) -> Optional[Unit]:
        """The unit that a data set names: f, Class.method, Class().method. A property takes no input."""
        called = [unit for unit in self.found.values() if unit.kind != PROPERTY]
        return next((unit for unit in called if wanted == unit.qualname), None) or next((unit for unit in called if unit.entry == wanted), None)

    def method(self, name: str, method: str) -> Optional[Unit]:
        """A method as an object of a class has it: its own, or that of a base in the module."""
        for base in self.module.line(name):
            unit = self.found.get("%s.%s" % (base, method))
            if unit is not None:
                return unit
        return None

    def _class(self, qualname: str) -> None:
        owner, body = self.module.classes[qualname].name, self.module.bodies[qualname]
        for name, method in body.functions.items():
            kind = self._kind(method)
            if kind is None or self.constructors.is_abstract(method):
                continue
            made, why = (qualname, "") if kind in (STATIC, CLASS) else self._object(qualname, name)
            full = "%s.%s" % (qualname, name)
            if made is None:
                self.left.append(Left(full, method.lineno, "no_instance", why))
            else:
                self.found[full] = Unit("%s.%s" % (made, _mangled(owner, name)), full, method, kind)
        self._unbound(qualname + ".", body)

    def _unbound(self, outer: str, of: Bindings) -> None:
        self.left.extend(Left(outer + node.name, node.lineno, reason, detail) for node, reason, detail in of.left)

    def _kind(self, method: FunctionNode) -> Optional[str]:
        if is_property(method):
            return PROPERTY
        names = [dotted(d.func if isinstance(d, ast.Call) else d, self.names) or "" for d in method.decorator_list]
        if any(name.split(".")[-1] in _ATTRIBUTES for name in names):
            return None
        if method.name.startswith("__") and method.name.endswith("__") and method.name not in _OWN:
            return None
        for kind in (STATIC, CLASS):
            if kind + "method" in names:
                return kind
        return INSTANCE

    def _object(self, qualname: str, method: str) -> Tuple[Optional[str], str]:
        """An object that has a method of a class: of the class itself, else of one that inherits it."""
        made, why = self.constructors.make(qualname)
        for heir in self.constructors.heirs(qualname) if made is None else ():
            if self.constructors.owner(heir, method) == qualname and made is None:
                made, _ = self.constructors.make(heir)
        return made, why


def _mangled(owner: str, name: str) -> str:
    """A private name as it is outside of its class."""
    owner = owner.lstrip("_")
    return "_%s%s" % (owner, name) if owner and name.startswith("__") and not name.endswith("__") else name

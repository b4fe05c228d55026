"""What of a module is harvested: its functions, and the methods of its classes with what makes an object to call them on."""

import ast
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from analyzer.constructors import Constructors
from analyzer.module import FUNCTIONS, FunctionNode, Module, is_overload
from analyzer.scopes import dotted, imported

STATIC, CLASS, INSTANCE = "static", "class", "instance"

# What these decorate is not called by its name.
_ATTRIBUTES = frozenset("property cached_property abstractproperty setter getter deleter".split())
# Special methods are called by what they stand for, and are in the traces of those who do.
_OWN = ("__call__",)


class Unit(NamedTuple):
    """A definition that is harvested: `entry` is the expression that gives what is called."""

    entry: str
    qualname: str
    node: FunctionNode
    kind: str  # function, or how a method is bound


class Units:
    """The units of a module by qualified name, in the order of the text."""

    def __init__(self, module: Module, guess: Optional[Callable[[str], str]] = None) -> None:
        self.module = module
        self.names = imported(module.nodes)
        self.constructors = Constructors(module, self.names, guess)
        self.found = {}  # type: Dict[str, Unit]
        self.classes = {}  # type: Dict[str, ast.ClassDef]
        self.left = []  # type: List[Tuple[str, int, str]]  # qualified name and line of methods without an object, and why
        for name, node in module.functions.items():
            self.found[name] = Unit(name, name, node, "function")
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                self._class("", node)

    def entry(self, wanted: str) -> Optional[Unit]:
        """The unit that a data set names: f, Class.method, Class().method."""
        return self.found.get(wanted) or next((unit for unit in self.found.values() if unit.entry == wanted), None)

    def method(self, name: str, method: str) -> Optional[Unit]:
        """A method as an object of a class has it: its own, or that of a base in the module."""
        for base in self.constructors.line(name):
            unit = self.found.get("%s.%s" % (base, method))
            if unit is not None:
                return unit
        return None

    def _class(self, outer: str, node: ast.ClassDef) -> None:
        qualname = outer + node.name
        self.classes[qualname] = node
        for name, method in _methods(node).items():
            kind = self._kind(method)
            if kind is None or self.constructors.is_abstract(method):
                continue
            made, why = (qualname, "") if kind in (STATIC, CLASS) else self._object(qualname, name)
            full = "%s.%s" % (qualname, name)
            if made is None:
                self.left.append((full, method.lineno, why))
            else:
                self.found[full] = Unit("%s.%s" % (made, _mangled(node.name, name)), full, method, kind)
        for inner in node.body:
            if isinstance(inner, ast.ClassDef):
                self._class(qualname + ".", inner)

    def _kind(self, method: FunctionNode) -> Optional[str]:
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


def _methods(node: ast.ClassDef) -> Dict[str, FunctionNode]:
    """The last definition of each name."""
    found = {}  # type: Dict[str, FunctionNode]
    for child in node.body:
        if isinstance(child, FUNCTIONS) and not is_overload(child):
            found.pop(child.name, None)
            found[child.name] = child
    return found


def _mangled(owner: str, name: str) -> str:
    """A private name as it is outside of its class."""
    owner = owner.lstrip("_")
    return "_%s%s" % (owner, name) if owner and name.startswith("__") and not name.endswith("__") else name

"""What the functions of a module have around them: its classes, its imports, its constants, by name."""

import ast
from typing import Dict, FrozenSet, List, Set

from analyzer.definitions import FUNCTIONS, FunctionNode
from analyzer.module import Module
from analyzer.scopes import imported
from analyzer.walking import walk

_OWN_FIRST = ("self", "cls")


class Surroundings:
    def __init__(self, module: Module) -> None:
        self.functions = module.functions  # type: Dict[str, FunctionNode]
        self.globals = module.globals
        self.classes = module.bindings.classes
        self._module = module
        # Name to what it stands for: "re", "math.sqrt".
        self.imports = {name: full for name, full in imported(module.nodes).items() if not full.startswith(".")}
        self.constants = {}  # type: Dict[str, ast.expr]
        self._attributes = {}  # type: Dict[str, FrozenSet[str]]
        for node in module.bindings.statements:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.constants[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self.constants[node.target.id] = node.value

    def bases(self, name: str) -> List[ast.ClassDef]:
        """A class and those of the module that it inherits from, nearest first."""
        return [self._module.classes[of] for of in self._module.line(name)]

    def method(self, name: str, method: str) -> "FunctionNode":
        """A method of a class or of its bases, or None."""
        for node in self.bases(name):
            for child in node.body:
                if isinstance(child, FUNCTIONS) and child.name == method:
                    return child
        return None  # type: ignore[return-value]

    def inherits(self, name: str, *names: str) -> bool:
        """Whether a class has one of these names, such as Enum, among its bases, however it was imported."""
        for node in self.bases(name):
            for base in node.bases:
                if self.dotted(base).split(".")[-1] in names:
                    return True
        return False

    def attributes(self, name: str) -> FrozenSet[str]:
        """What instances of a class have, as far as its definition shows."""
        if name not in self._attributes:
            found = set()  # type: Set[str]
            for base in self.bases(name):
                for node in walk(base):
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in _OWN_FIRST:
                        found.add(node.attr)
                    elif isinstance(node, FUNCTIONS):
                        found.add(node.name)
                    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                        found.add(node.target.id)
            self._attributes[name] = frozenset(found)
        return self._attributes[name]

    def dotted(self, node: ast.AST) -> str:
        """The full name of what an expression stands for: "typing.List" for List and for t.List; "" for another expression."""
        if isinstance(node, ast.Call):
            return self.dotted(node.func)
        if isinstance(node, ast.Name):
            return self.imports.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            of = self.dotted(node.value)
            return "%s.%s" % (of, node.attr) if of else ""
        return ""

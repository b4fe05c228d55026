"""What the top level of a module comes to before it runs: conditions on the interpreter, and whether imports succeed.

The analyzer has the interpreter that programs run in, and so knows its version, its platform, and what it can import. Nothing of the
program is run; of the standard library, modules are imported to see what is in them.
"""

import ast
import builtins
import importlib
import os
import sys
import types
from importlib.machinery import PathFinder
from typing import Any, Dict, List, Optional, Set

from analyzer.definitions import bound
from analyzer.imports import installed, library_paths

# What the program would find there. Other attributes may differ from one process to the next.
KNOWN = {
    "sys.version_info": sys.version_info, "sys.platform": sys.platform, "sys.maxsize": sys.maxsize, "sys.hexversion": sys.hexversion,
    "sys.byteorder": sys.byteorder, "sys.implementation.name": sys.implementation.name, "os.name": os.name, "os.sep": os.sep,
    "typing.TYPE_CHECKING": False, "typing_extensions.TYPE_CHECKING": False,
}  # type: Dict[str, Any]  # fmt: skip
# Importing them prints, opens something, or is not what the program would get.
_NEVER = frozenset("this antigravity __main__ __hello__ __phello__ idlelib turtle turtledemo tkinter test lib2to3 pip ensurepip site".split())
_COMPARED = {
    ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b, ast.Lt: lambda a, b: a < b, ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b, ast.GtE: lambda a, b: a >= b, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: a is b, ast.IsNot: lambda a, b: a is not b,
}  # type: Dict[type, Any]  # fmt: skip


class Unknown(Exception):
    """Only running the module tells."""


class Raises(Exception):
    """Evaluating raises a builtin exception of that name."""


class Thing:
    """An object of which is known that it is there, and of a module its full name. It is a module, a class or a function: true."""

    def __init__(self, module: str = "") -> None:
        self.module = module


_NO_VALUE = object()  # of a name that is bound to nobody knows what


class Conditions:
    """The names of a scope, as its statements are gone through in their order."""

    def __init__(self, outer: Optional["Conditions"] = None, changing: Optional[Set[str]] = None) -> None:
        self._outer = outer
        self._changing = changing if changing is not None else outer._changing if outer else set()  # by functions, at any time
        self._values = {}  # type: Dict[str, Any]
        self._any = False  # an import has bound nobody knows which names

    def truth(self, node: ast.expr) -> Optional[bool]:
        """What a condition comes to; None where nobody can say. May raise Raises."""
        try:
            value = self._value(node)
        except Unknown:
            return None
        return True if isinstance(value, Thing) else bool(value)

    def define(self, name: str) -> None:
        self._values[name] = Thing()

    def forget(self, names: Set[str]) -> None:
        for name in names:
            self._values[name] = _NO_VALUE

    def execute(self, node: ast.stmt) -> Optional[str]:
        """Goes through a simple statement: "", the name of the exception that it raises, or None where nobody can say."""
        try:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                return self._import(node)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                return self._assign(node)
            if isinstance(node, ast.Expr):
                self._value(node.value)
                return ""
            if isinstance(node, ast.Raise):
                name = getattr(node.exc.func if isinstance(node.exc, ast.Call) else node.exc, "id", "")
                return name if exception(name) else None
        except Raises as error:
            self.forget(bound([node]))
            return str(error)
        except Unknown:
            pass
        self.forget(bound([node]))
        return "" if isinstance(node, (ast.Pass, ast.Global)) else None

    def _assign(self, node: Any) -> str:
        value = self._value(node.value)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if not all(isinstance(target, ast.Name) for target in targets):
            raise Unknown
        self._values.update((target.id, value) for target in targets)
        return ""

    def _import(self, node: Any) -> Optional[str]:
        ended = ""  # type: Optional[str]
        if isinstance(node, ast.Import):
            for alias in node.names:
                ended = _found(alias.name)
                name = alias.asname or alias.name.split(".")[0]
                self._values[name] = Thing(alias.name if alias.asname else name) if ended == "" else _NO_VALUE
                if ended != "":
                    break
            return ended
        names = exported(node)
        if names is None:
            self._any = True
            return _found(node.module) if node.module and not node.level else "ImportError"
        for alias in node.names:
            if alias.name == "*":
                self._values.update((name, Thing("%s.%s" % (node.module, name))) for name in names)
                continue
            ended = "ImportError" if node.level else _found(node.module)
            if ended == "":
                ended = _member(node.module, alias.name)
            full = "%s.%s" % (node.module, alias.name)
            self._values[alias.asname or alias.name] = KNOWN.get(full, Thing(full)) if ended == "" else _NO_VALUE
            if ended != "":
                break
        return ended

    def _name(self, name: str) -> Any:
        if name in self._changing:
            raise Unknown
        scope = self  # type: Optional[Conditions]
        while scope is not None:
            value = scope._values.get(name)
            if value is _NO_VALUE or name not in scope._values and scope._any:
                raise Unknown
            if name in scope._values:
                return value
            scope = scope._outer
        if name == "__debug__":
            return True
        if name.startswith("__"):
            raise Unknown
        if not hasattr(builtins, name):
            raise Raises("NameError")
        return Thing("builtins." + name)

    def _value(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Tuple):
            return tuple(self._value(item) for item in node.elts)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return _item(self._value(node.value), node.slice)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.truth(node.operand)
            if value is None:
                raise Unknown
            return not value
        if isinstance(node, ast.BoolOp):
            return self._either(node)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        raise Unknown

    def _attribute(self, node: ast.Attribute) -> Any:
        of = self._value(node.value)
        if of is sys.version_info and node.attr in ("major", "minor", "micro"):
            return getattr(of, node.attr)
        if not isinstance(of, Thing) or not of.module:
            raise Unknown
        full = "%s.%s" % (of.module, node.attr)
        if full in KNOWN:
            return KNOWN[full]
        if any(known.startswith(full + ".") for known in KNOWN):
            return Thing(full)
        ended = _member(of.module, node.attr)
        if ended:
            raise Raises("AttributeError")
        module = _module(of.module)
        if ended is None or not isinstance(getattr(module, node.attr, None), (types.ModuleType, type) + _FUNCTIONS):
            raise Unknown
        return Thing(full)

    def _either(self, node: ast.BoolOp) -> bool:
        stops = isinstance(node.op, ast.Or)
        unknown = False
        for part in node.values:
            try:
                value = self.truth(part)
            except Raises:
                if unknown:
                    raise Unknown from None
                raise
            if value is stops:
                return stops
            unknown = unknown or value is None
        if unknown:
            raise Unknown
        return not stops

    def _compare(self, node: ast.Compare) -> bool:
        values = [self._value(part) for part in [node.left] + node.comparators]
        for op, a, b in zip(node.ops, values, values[1:]):
            if (isinstance(a, Thing) or isinstance(b, Thing)) and not (isinstance(op, (ast.Is, ast.IsNot)) and (a is None or b is None)):
                raise Unknown
            try:
                if not _COMPARED[type(op)](a, b):
                    return False
            except TypeError:
                raise Unknown from None
        return True

    def _call(self, node: ast.Call) -> Any:
        function, args = node.func, node.args
        if isinstance(function, ast.Attribute) and function.attr == "startswith" and len(args) == 1:
            text, start = self._value(function.value), self._value(args[0])
            if isinstance(text, str) and isinstance(start, (str, tuple)):
                return text.startswith(start)
        elif isinstance(function, ast.Name) and function.id == "hasattr" and len(args) == 2:
            of, name = self._value(args[0]), self._value(args[1])
            ended = _member(of.module, name) if isinstance(of, Thing) and of.module and isinstance(name, str) else None
            if ended is not None:
                return not ended
        raise Unknown


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.BuiltinMethodType)
_modules = {}  # type: Dict[str, Any]  # full name to the module; None: only running tells; False: there is none


def exception(name: str) -> Any:
    """The builtin exception of a name, None for another."""
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def exported(node: ast.ImportFrom) -> Optional[List[str]]:
    """The names that an import binds; None where that is for another to say."""
    if node.names[0].name != "*":
        return [alias.asname or alias.name for alias in node.names]
    module = None if node.level else _module(node.module or "")
    if not module:
        return None
    return list(getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")])


def _found(name: str) -> Optional[str]:
    """How the import of a module ends."""
    module = _module(name)
    if module is None:
        return None if "." in name else ""
    return "" if module else "ModuleNotFoundError"


def _member(module: str, name: str) -> Optional[str]:
    """How the import of a name from a module ends; what is there but not known is taken to have it."""
    found = _module(module)
    if not found:
        return "" if _found(module) == "" else None
    if hasattr(found, name):
        return ""
    return "ImportError" if _module("%s.%s" % (module, name)) is False else ""


def _module(name: str) -> Any:
    if name not in _modules:
        _modules[name] = _load(name)
    return _modules[name]


def _load(name: str) -> Any:
    top = name.split(".")[0]
    if not _in_library(top):
        return None if installed(top) else False
    if top in _NEVER:
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return False
    except Exception:
        return None


def _in_library(top: str) -> bool:
    return top in sys.builtin_module_names or PathFinder.find_spec(top, library_paths()) is not None


def _item(of: Any, index: ast.AST) -> Any:
    """An item of a text or a tuple, or a part of it."""
    if type(index).__name__ == "Index":  # before 3.9
        index = index.value  # type: ignore[attr-defined]
    try:
        if isinstance(of, (str, tuple)) and isinstance(index, ast.Slice):
            return of[slice(*(None if part is None else ast.literal_eval(part) for part in (index.lower, index.upper, index.step)))]
        if isinstance(of, (str, tuple)):
            return of[ast.literal_eval(index)]
    except (ValueError, TypeError, IndexError):
        pass
    raise Unknown

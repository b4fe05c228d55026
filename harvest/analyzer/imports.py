"""The modules that a program needs, and which of them are there."""

import ast
import importlib.machinery
import os
import sys
import sysconfig
from typing import Dict, FrozenSet, Iterable, Iterator, List, Optional, Set, Union

from analyzer.walking import children, walk

_GUARDS = frozenset(["ImportError", "ModuleNotFoundError", "Exception", "BaseException"])


def forbidden(nodes: Iterable[ast.stmt], allowed: List[str]) -> List[str]:
    """The modules that statements import and that are not allowed; `stdlib` and `image` stand for what the interpreter has.

    A module that the program does without, or that only type checkers import, is not asked for.
    """
    found = set()  # type: Set[str]
    for node in needed(nodes):
        if isinstance(node, ast.ImportFrom) and node.level:
            found.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        else:
            found.update(alias.name for alias in node.names)
    return sorted(name for name in found if not _allows(allowed, name))


def needed(nodes: Iterable[ast.AST]) -> Iterator[Union[ast.Import, ast.ImportFrom]]:
    """The imports that must succeed."""
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.Try) and any(_guards(handler) for handler in node.handlers):
            # Its handlers are what stands in for the import.
            yield from needed([*node.finalbody])
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in (getattr(node.test, "id", ""), getattr(node.test, "attr", "")):
            yield from needed(node.orelse)
        elif not isinstance(node, ast.expr):
            yield from needed(children(node))


def _guards(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _GUARDS for node in walk(handler.type))


def _allows(allowed: List[str], name: str) -> bool:
    top = name.split(".")[0]
    if any(name == given or name.startswith(given + ".") for given in allowed):
        return True
    if not top:
        return False
    return ("stdlib" in allowed or "image" in allowed) and top in stdlib() or "image" in allowed and installed(top)


def library_paths() -> List[str]:
    """The directories of the interpreter's standard library."""
    paths = sysconfig.get_paths()
    return [paths["stdlib"], paths["platstdlib"], os.path.join(paths["platstdlib"], "lib-dynload")]


_stdlib = None  # type: Optional[FrozenSet[str]]
_installed = {}  # type: Dict[str, bool]


def stdlib() -> FrozenSet[str]:
    """The top-level modules of the interpreter's standard library."""
    global _stdlib
    if _stdlib is None:
        names = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names)
        if not hasattr(sys, "stdlib_module_names"):  # before 3.10
            for folder in library_paths():
                names.update(entry.split(".")[0] for entry in (os.listdir(folder) if os.path.isdir(folder) else ()))
            names -= {"site-packages", "dist-packages", "__pycache__", "lib-dynload"}
        _stdlib = frozenset(names)
    return _stdlib


def installed(top: str) -> bool:
    """Whether the interpreter finds a top-level module where packages are installed. Nothing of it is run."""
    if top not in _installed:
        paths = sysconfig.get_paths()
        _installed[top] = importlib.machinery.PathFinder.find_spec(top, [paths["purelib"], paths["platlib"]]) is not None
    return _installed[top]

"""What runs a call of a generator or coroutine function to its end, since the bare call would run nothing."""

import ast
import re
from typing import Dict, Set

from analyzer.definitions import FunctionNode, is_generator
from analyzer.module import Module
from analyzer.scopes import dotted
from analyzer.walking import walk

ENDLESS_ITEMS = 10  # of a generator that has no end of its own

_COLLECTOR = "async def %s(items):\n    return [item async for item in items]\n"


def helper(program: str) -> str:
    """The name, not in the program, of the function that collects what an asynchronous generator yields: no expression can."""
    words = set(re.findall(r"\w+", program))
    name, n = "collect", 1
    while name in words:
        n += 1
        name = "collect_%d" % n
    return name


def needs_helper(node: FunctionNode) -> bool:
    return isinstance(node, ast.AsyncFunctionDef) and is_generator(node)


def suffix(name: str) -> str:
    """What is put behind the program of an asynchronous generator."""
    return "\n\n" + _COLLECTOR % name


def collector_of(module: Module) -> str:
    """The function that was put behind a program to collect what its asynchronous generator yields; "" for other programs."""
    last = module.tree.body[-1] if module.tree.body else None
    is_it = isinstance(last, ast.AsyncFunctionDef) and module.text.segment(last) + "\n" == _COLLECTOR % last.name
    return last.name if is_it else ""


def driven(call: str, node: FunctionNode, names: Dict[str, str], taken: Set[str], collector: str) -> str:
    """A bare call, with what runs it around it. Names are the module's imports, taken those that it defines."""
    for decorator in node.decorator_list:
        made = dotted(decorator, names)
        if made == "contextlib.contextmanager":
            return call + ".__enter__()"
        if made == "contextlib.asynccontextmanager":
            return _awaited(call + ".__aenter__()", names)
        if made == "types.coroutine":
            return _awaited(call, names)
    if needs_helper(node):
        return _awaited("%s(%s)" % (collector, call), names)
    if isinstance(node, ast.AsyncFunctionDef):
        return _awaited(call, names)
    if not is_generator(node):
        return call
    if is_endless(node):
        return "[*%s(%s, %d)]" % (_imported("itertools.islice", names), call, ENDLESS_ITEMS)
    return "[*%s]" % call if "list" in taken else "list(%s)" % call


def is_endless(node: FunctionNode) -> bool:
    """Whether a generator yields in a loop that has no condition and no way out."""
    for loop in walk(node):
        if isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and loop.test.value:
            inside = walk(loop)
            if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside) and not any(isinstance(n, (ast.Break, ast.Return)) for n in inside):
                return True
    return False


def _awaited(call: str, names: Dict[str, str]) -> str:
    return "%s(%s)" % (_imported("asyncio.run", names), call)


def _imported(full: str, names: Dict[str, str]) -> str:
    """A function as the module itself would write it, or by an import of its own."""
    module, function = full.split(".")
    for name, stands in names.items():
        if stands == full:
            return name
        if stands == module:
            return "%s.%s" % (name, function)
    return "__import__('%s').%s" % (module, function)

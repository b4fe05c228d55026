"""What definitions are, and the names that belong to one scope."""

import ast
import builtins
from typing import Any, Iterable, Iterator, Set, Union

from analyzer.walking import children

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = FUNCTIONS + (ast.ClassDef,)
_SCOPES = DEFINITIONS + (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

BUILTINS = frozenset(dir(builtins))


def first_line(node: ast.AST) -> int:
    """A definition's first decorator's line, else its own."""
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", ())])  # type: ignore[attr-defined]


def is_main_guard(node: ast.AST) -> bool:
    """Whether a statement is `if __name__ == "__main__":`, either way round."""
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and len(node.test.ops) == 1):
        return False
    if not isinstance(node.test.ops[0], ast.Eq):
        return False
    sides = (node.test.left, node.test.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def is_overload(function: FunctionNode) -> bool:
    """Whether a definition is for type checkers alone."""
    return any("overload" in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in function.decorator_list)


def is_accessor(function: FunctionNode) -> bool:
    """Whether a definition adds to a property of its name, such as by `@size.setter`, rather than to replace it."""
    for node in function.decorator_list:
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "getter", "deleter") and getattr(node.value, "id", "") == function.name:
            return True
    return False


def is_property(function: FunctionNode) -> bool:
    """Whether a method is reached as an attribute, and its own first definition."""
    names = [getattr(node, "id", "") or getattr(node, "attr", "") for node in function.decorator_list]
    return names in (["property"], ["cached_property"])


def is_generator(function: FunctionNode) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(function.body))


def own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes under nodes that belong to the same scope."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(children(node))


def bound(statements: Iterable[ast.AST]) -> Set[str]:
    """The names that statements bind in their own scope."""
    names = set()  # type: Set[str]
    for node in own_nodes(statements):
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        else:
            # except ... as name; the captures of match: MatchAs and MatchStar have name, MatchMapping has rest
            for field in ("name", "rest"):
                name = getattr(node, field, None)  # type: Any
                if isinstance(name, str) and (isinstance(node, ast.ExceptHandler) or "Match" in type(node).__name__):
                    names.add(name)
    return names


def parameters(function: Union[FunctionNode, ast.Lambda]) -> Set[str]:
    args = function.args
    named = list(args.posonlyargs) + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]
    return {arg.arg for arg in named}

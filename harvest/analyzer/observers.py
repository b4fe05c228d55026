"""Functions of a module that change nothing but what they make themselves, as far as their text shows it.

Such a function calls only its like, builtins and functions of the standard library that have no effects; it changes only variables and
containers of its own; and of the module's globals it reads those that nothing changes and containers of builtin types, since to look
into another object may change it: an iterator, a defaultdict. In a module whose classes have methods, any operator may be one of them: there,
no function is said to change nothing.
"""

import ast
import builtins
from typing import Callable, Dict, List, Optional, Set

from analyzer.definitions import BUILTINS, DEFINITIONS, FUNCTIONS, FunctionNode, parameters
from analyzer.scopes import Piece, dotted, root
from analyzer.walking import walk

_CALLS = frozenset(
    "len sorted list tuple set frozenset dict sum min max any all enumerate zip range isinstance issubclass str repr reversed bytes bool"
    " int float complex abs round chr ord divmod pow hash bin hex oct format map filter callable ascii slice type".split()
)
_EXCEPTIONS = frozenset(name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException))
_IMPORTED_CALLS = ("math.", "operator.", "itertools.", "statistics.", "string.", "functools.reduce", "bisect.bisect", "copy.", "collections.")
# Methods of builtin types that change nothing, and those that change what they are called on.
_LOOKING = frozenset(
    "get keys values items index count copy union intersection difference symmetric_difference issubset issuperset isdisjoint join format"
    " startswith endswith split rsplit splitlines strip lstrip rstrip encode decode upper lower title capitalize swapcase casefold replace find"
    " rfind rindex partition rpartition zfill center ljust rjust isdigit isalpha isalnum isspace isupper islower isdecimal isnumeric"
    " isidentifier translate bit_length is_integer hex expandtabs".split()
)
_CHANGING = frozenset("append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft popleft".split())
# What makes an object that nothing else has.
_MAKERS = frozenset("list tuple set frozenset dict sorted str repr bytes bool int float complex len range round ord chr".split())
_FRESH = (
    ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Compare, ast.UnaryOp, ast.BinOp,
)  # fmt: skip
_CONTAINERS = (ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_IN_PLACE = (ast.FloorDiv, ast.Mod, ast.Div, ast.Pow, ast.LShift, ast.RShift)  # which no builtin container has
_NOT_SEEN = tuple(
    getattr(ast, name)
    for name in ("Global", "Nonlocal", "Import", "ImportFrom", "With", "AsyncWith", "AsyncFor", "Await", "NamedExpr", "Match")
    if hasattr(ast, name)
) + DEFINITIONS  # fmt: skip


class Observers:
    def __init__(
        self, nodes: List[ast.AST], bound: Dict[str, List[ast.AST]], binders: Dict[str, List[Piece]], names: Dict[str, str],
        settled: Callable[[str], bool],
    ) -> None:  # fmt: skip
        """bound are the nodes that bind a name, binders the pieces that bind or write a name, names what imports stand for."""
        self._bound = bound
        self._binders = binders
        self._names = names
        self._settled = settled
        self._known = {}  # type: Dict[str, bool]  # functions
        self._read = {}  # type: Dict[str, bool]  # other globals
        self._plain = not any(isinstance(node, FUNCTIONS) for top in nodes if isinstance(top, ast.ClassDef) for node in top.body)

    def asserts(self, piece: Piece) -> bool:
        """Whether a piece asserts something, and does nothing else."""
        return self._plain and all(isinstance(node, ast.Assert) and self._looks(walk(node), set(), set()) for node in piece.nodes)

    def _function(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = True  # while it is being decided: to call itself is no effect
            found = self._bound.get(name, [])
            one = found[0] if len(found) == 1 and len(self._binders[name]) == 1 else None
            try:
                self._known[name] = isinstance(one, ast.FunctionDef) and not one.decorator_list and self._body(one)
            except RecursionError:
                self._known[name] = False
        return self._known[name]

    def _body(self, node: FunctionNode) -> bool:
        inside = [part for statement in node.body for part in walk(statement)]
        local = parameters(node) | {part.id for part in inside if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
        local |= {part.name for part in inside if isinstance(part, ast.ExceptHandler) and part.name}
        return self._looks(inside, local, _own(node, inside))

    def _looks(self, nodes: List[ast.AST], local: Set[str], own: Set[str]) -> bool:
        """Whether nodes change nothing but the objects that the names in own stand for."""
        for node in nodes:
            if isinstance(node, ast.Lambda):
                local = local | parameters(node)
            elif isinstance(node, _COMPREHENSIONS):
                local = local | {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        return all(self._does_nothing(node, local, own) for node in nodes)

    def _does_nothing(self, node: ast.AST, local: Set[str], own: Set[str]) -> bool:
        if isinstance(node, _NOT_SEEN):
            return False
        if isinstance(node, ast.Call):
            return self._call(node, local, own)
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            return isinstance(node, ast.Subscript) and _named(node.value, own)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            return node.target.id in own or isinstance(node.op, _IN_PLACE) or isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in local:
            return self._global(node.id)
        return True

    def _call(self, node: ast.Call, local: Set[str], own: Set[str]) -> bool:
        function = node.func
        if isinstance(function, ast.Name):
            if function.id in local:
                return False
            if function.id not in self._binders:
                return function.id in _CALLS or function.id in _EXCEPTIONS
            return self._function(function.id) or self._imported(function)
        if not isinstance(function, ast.Attribute):
            return False
        return function.attr in _LOOKING or function.attr in _CHANGING and _named(function.value, own) or self._imported(function)

    def _imported(self, function: ast.expr) -> bool:
        return root(function) in self._names and (dotted(function, self._names) or "").startswith(_IMPORTED_CALLS)

    def _global(self, name: str) -> bool:
        if name not in self._binders:
            return name in BUILTINS
        if any(isinstance(node, DEFINITIONS) for node in self._bound.get(name, ())):
            return self._function(name)
        if name not in self._read:
            self._read[name] = self._settled(name) or all(name not in piece.writes and _contained(name, piece) for piece in self._binders[name])
        return self._read[name]


def _contained(name: str, piece: Piece) -> bool:
    """Whether all that a piece binds a name to is a container, or no object that can be changed."""
    nodes = piece.executed()
    bound = sum(isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load) for node in nodes)
    for node in nodes:
        if isinstance(node, ast.AugAssign) and _named(node.target, {name}):
            bound -= 1
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                bound -= _named(target, {name}) and isinstance(node.value, _CONTAINERS)
    return bound == 0


def _own(node: FunctionNode, inside: List[ast.AST]) -> Set[str]:
    """The variables of a function that only ever stand for objects which it has made itself."""
    made, other = set(), parameters(node)
    stored = {}  # type: Dict[str, int]
    for part in inside:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            stored[part.id] = stored.get(part.id, 0) + 1
    for part in inside:
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            stored[part.target.id] -= 1
        elif isinstance(part, (ast.Assign, ast.AnnAssign)):
            for target in part.targets if isinstance(part, ast.Assign) else [part.target]:
                if isinstance(target, ast.Name) and _made(part.value):
                    made.add(target.id)
                    stored[target.id] -= 1
    return {name for name in made - other if stored[name] == 0}


def _made(value: Optional[ast.expr]) -> bool:
    return isinstance(value, _FRESH) or isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _MAKERS


def _named(node: ast.AST, names: Set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names

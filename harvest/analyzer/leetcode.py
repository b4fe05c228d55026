"""The names that competition sites give every program without an import, and that programs from there therefore lack."""

import ast
from typing import Dict, Set

from analyzer.definitions import BUILTINS
from analyzer.module import Module

_MODULES = "bisect collections functools heapq itertools math operator random re string".split()
_NAMES = {
    "typing": "Any Callable Deque Dict FrozenSet Generator Iterable Iterator List Optional Sequence Set Tuple Union",
    "collections": "Counter OrderedDict defaultdict deque",
    "functools": "cache cmp_to_key lru_cache partial reduce",
    "heapq": "heapify heappop heappush heappushpop heapreplace nlargest nsmallest",
    "itertools": "accumulate chain combinations combinations_with_replacement count cycle groupby islice permutations product repeat zip_longest",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "math": "ceil comb factorial floor gcd inf log log2 perm prod sqrt",
    "operator": "add itemgetter mul or_ xor",
}
_FROM = {name: module for module, names in _NAMES.items() for name in names.split()}  # type: Dict[str, str]


def with_imports(program: str) -> str:
    """The program with an import of each of these names that it uses and does not bind, behind its docstring and __future__."""
    module = Module(program)
    wanted = _unbound(module)
    lines = ["import %s" % name for name in _MODULES if name in wanted and name not in _FROM]
    for source in _NAMES:
        names = sorted(name for name in wanted if _FROM.get(name) == source)
        if names:
            lines.append("from %s import %s" % (source, ", ".join(names)))
    if not lines:
        return program
    at = 0
    for n, node in enumerate(module.tree.body):
        doc = n == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if not doc and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        at = node.end_lineno or at
    text = program.split("\n")
    return "\n".join(text[:at] + lines + text[at:])


def _unbound(module: Module) -> Set[str]:
    """The names that are used and bound nowhere; none where an import of everything may bind them."""
    used, own = set(), set(module.globals)  # type: Set[str], Set[str]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else own).add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.alias):
            if node.name == "*":
                return set()
            own.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            own.add(node.name)
    return used - own - BUILTINS

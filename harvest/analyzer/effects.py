"""What a top-level statement may change besides the names that it binds, seen from far enough to be safe.

A global is settled where nothing in the module can change the object that it names: imports, plain functions and classes,
constants, and literal containers that are only ever read. A statement that does anything at all may change each unsettled
global that it can reach, through whatever functions. PROCESS stands for what belongs to no global: it is always reached.
"""

import ast
from typing import Dict, Iterator, List, Optional, Set

from analyzer.conditions import KNOWN
from analyzer.definitions import FUNCTIONS
from analyzer.module import Module
from analyzer.observers import Observers
from analyzer.scopes import Piece, dotted, executed, root
from analyzer.walking import children, walk

PROCESS = "*"

# Nodes that neither call nor change anything, with the statements that only bind. Definitions are looked at by themselves.
_INERT = (
    ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare,
    ast.IfExp, ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.Assign, ast.AnnAssign, ast.Expr, ast.Pass, ast.Import,
    ast.ImportFrom, ast.alias, ast.If, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
) + FUNCTIONS + (ast.ClassDef,)  # fmt: skip

_PURE_BUILTINS = frozenset(
    "len sorted list tuple set frozenset dict sum min max any all enumerate zip range isinstance issubclass print str repr"
    " reversed bytes bool int float abs round chr ord".split()
)
_PURE_METHODS = frozenset(
    "get keys values items index count copy union intersection difference symmetric_difference issubset issuperset isdisjoint"
    " join format startswith endswith split strip encode decode".split()
)
# Decorators that call nothing of the program and leave no trace of the definition elsewhere.
_PLAIN_DECORATORS = frozenset(
    "dataclass dataclasses.dataclass functools.wraps functools.total_ordering enum.unique typing.final typing.overload"
    " typing.runtime_checkable staticmethod classmethod property contextlib.contextmanager contextlib.asynccontextmanager"
    " abc.abstractmethod".split()
)
_SETTLED_CALLS = frozenset(
    "frozenset re.compile typing.TypeVar typing.NewType typing.ParamSpec collections.namedtuple typing.NamedTuple"
    " decimal.Decimal fractions.Fraction datetime.date datetime.datetime datetime.timedelta struct.Struct operator.itemgetter"
    " operator.attrgetter object str int float bytes complex range ord chr len".split()
)
# Calls, in functions, that change the process for all that comes after.
_PROCESS_CALLS = frozenset(
    "sys.setrecursionlimit sys.set_int_max_str_digits sys.settrace sys.setprofile random.seed numpy.random.seed"
    " decimal.getcontext decimal.setcontext locale.setlocale warnings.filterwarnings warnings.simplefilter gc.disable gc.enable"
    " logging.basicConfig os.chdir os.putenv os.umask signal.signal atexit.register".split()
)
_STATEFUL_METHODS = frozenset(["__init_subclass__", "__new__", "__set_name__"])
_CLASS_NAMES = frozenset(["cls", "mcs", "mcls", "metacls"])


# Steps from name to name, for all statements of a module.
_MOST_STEPS = 300_000


class TooMuch(Exception):
    """A module's names hang together in more ways than can be followed."""


class Effects:
    """Of each piece, the names whose objects it may change when the module is imported."""

    def __init__(self, module: Module, found: List[Piece], names: Dict[str, str]) -> None:
        self._found = found
        self._names = names
        self._binders = {}  # type: Dict[str, List[Piece]]
        for piece in found:
            for name in piece.binds | piece.writes:
                self._binders.setdefault(name, []).append(piece)
        self._nodes = {}  # type: Dict[str, List[ast.AST]]
        self._stored = set()  # type: Set[str]  # attributes of it, or items, are set somewhere
        self._escapes = set()  # type: Set[str]  # used in another way than to look into it
        self._look(module.nodes)
        for piece in found:
            for top in piece.nodes:
                self._definitions(top)
        self._observers = Observers(module.nodes, self._nodes, self._binders, names, self.settled)
        self._steps = 0
        self._settled = {}  # type: Dict[str, bool]
        self._processes = {piece.index: self._changes_process(piece) for piece in found}

    def of(self, piece: Piece) -> Set[str]:
        changed = {PROCESS} if self._calls_imported(piece) else set()  # type: Set[str]
        changed |= self._submodules(piece)
        if self._inert(piece) or self._observers.asserts(piece):
            return changed
        seen, stack = set(), list(piece.now)  # type: Set[str], List[str]
        through = set()  # type: Set[int]
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            self._steps += 1 + len(self._binders.get(name, ()))
            if self._steps > _MOST_STEPS:
                raise TooMuch
            if name in self._binders and not self.settled(name):
                changed.add(name)
            for binder in self._binders.get(name, ()):
                if binder.index in through:
                    continue
                through.add(binder.index)
                # `a = b = []` makes one object of two names.
                changed |= binder.writes | {other for other in binder.binds if not self.settled(other)}
                if self._processes[binder.index]:
                    changed.add(PROCESS)
                stack.extend(binder.needs)
        return changed

    def settled(self, name: str) -> bool:
        if name not in self._settled:
            self._settled[name] = True  # while it is being decided: what refers to itself does not unsettle itself
            nodes = self._nodes.get(name, [])
            bound = sum(name in piece.binds for piece in self._binders.get(name, ()))
            try:
                self._settled[name] = bound <= len(nodes) and all(self._settles(name, node) for node in nodes)
            except RecursionError:  # a chain of some hundred constants, each made of the one before
                self._settled[name] = False
        return self._settled[name]

    def _settles(self, name: str, node: ast.AST) -> bool:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return True
        if name in self._stored:
            return False
        if isinstance(node, FUNCTIONS):
            return all(self._plain(decorator) for decorator in node.decorator_list)
        if isinstance(node, ast.ClassDef):
            return not self._stateful(node)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            if isinstance(node.value, (ast.List, ast.Dict, ast.Set)):
                if len(getattr(node, "targets", ())) > 1:
                    return False  # each name is another's
                return name not in self._escapes and all(self._constant(part) for part in children(node.value))
            return self._constant(node.value)
        return False

    def _constant(self, node: ast.AST) -> bool:
        """Whether an expression gives what cannot be changed."""
        if isinstance(node, (ast.Constant, ast.Lambda, ast.JoinedStr, ast.expr_context)):
            return True
        if isinstance(node, ast.Name):
            return node.id not in self._binders or self.settled(node.id)
        if isinstance(node, ast.Subscript):
            return self._full(node.value) in KNOWN
        if isinstance(node, ast.Attribute):
            if self._full(node) in KNOWN:
                return True
            name = root(node)
            return name is not None and name in self._binders and self._class(name)
        if isinstance(node, (ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Compare, ast.operator, ast.unaryop, ast.cmpop)):
            return all(self._constant(child) for child in children(node))
        return isinstance(node, ast.Call) and self._full(node.func) in _SETTLED_CALLS

    def _class(self, name: str) -> bool:
        nodes = self._nodes.get(name, [])
        return len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef) and self.settled(name)

    def _plain(self, decorator: ast.AST) -> bool:
        return self._full(decorator.func if isinstance(decorator, ast.Call) else decorator) in _PLAIN_DECORATORS

    def _full(self, node: ast.AST) -> Optional[str]:
        return dotted(node, self._names)

    def _stateful(self, node: ast.ClassDef) -> bool:
        """Whether using the class, or deriving from it, may change it."""
        if node.keywords or not all(self._plain(decorator) for decorator in node.decorator_list):
            return True
        for base in node.bases:
            name = root(base)
            if name is not None and any(isinstance(of, ast.ClassDef) for of in self._nodes.get(name, ())) and not self.settled(name):
                return True
        for part in node.body:
            if isinstance(part, FUNCTIONS):
                if part.name in _STATEFUL_METHODS or self._sets_class(part):
                    return True
            elif isinstance(part, (ast.Assign, ast.AnnAssign)):
                if part.value is not None and not self._constant(part.value) and self._full(root_call(part.value)) not in _FIELDS:
                    return True
            elif not isinstance(part, (ast.Expr, ast.Pass)):
                return True
        return False

    def _sets_class(self, method: ast.AST) -> bool:
        for node in walk(method):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
                if root(node) in _CLASS_NAMES or "__class__" in _attributes(node) or _of_type(node):
                    return True
        return False

    def _definitions(self, top: ast.AST) -> None:
        for node, in_class in executed(top):
            if in_class:
                continue
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                self._nodes.setdefault(node.name, []).append(node)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    self._nodes.setdefault((alias.asname or alias.name).split(".")[0], []).append(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for name in walk(target):
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                            self._nodes.setdefault(name.id, []).append(node if name is target else name)
            elif isinstance(node, (ast.NamedExpr, ast.AugAssign, ast.For, ast.AsyncFor, ast.withitem, ast.Delete)):
                for name in walk(node):
                    if isinstance(name, ast.Name) and not isinstance(name.ctx, ast.Load):
                        self._nodes.setdefault(name.id, []).append(name)

    def _look(self, nodes: List[ast.AST]) -> None:
        pure = set()  # type: Set[int]
        loads = []  # type: List[ast.Name]
        for node in nodes:
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    loads.append(node)
            elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
                name = root(node)
                if name is not None:
                    self._stored.add(name)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr"):
                name = root(node.args[0]) if node.args else None
                if name is not None:
                    self._stored.add(name)
            else:
                pure.update(id(child) for child in _looked_at(node))
        self._escapes = {name.id for name in loads if id(name) not in pure} | self._stored

    def _inert(self, piece: Piece) -> bool:
        for node in piece.executed():
            if not isinstance(node, _INERT) or isinstance(getattr(node, "ctx", None), ast.Del):
                return False
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
                return False
            if getattr(node, "decorator_list", None) or getattr(node, "bases", None) or getattr(node, "keywords", None):
                return False
        return True

    def _calls_imported(self, piece: Piece) -> bool:
        """Whether a call is made for its effect, or a thing is set, of another module: nobody knows what hangs on it."""
        for node in piece.executed():
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and root(node.value) in self._names:
                return True
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load) and root(node) in self._names:
                return True
        return False

    def _changes_process(self, piece: Piece) -> bool:
        """Whether a call of a function of it may change what belongs to the whole process."""
        if not self._names:
            return False
        for node in piece.every():
            if isinstance(node, ast.Call) and self._full(node.func) in _PROCESS_CALLS:
                return True
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and root(node) in self._names:
                return True
        return False

    def _submodules(self, piece: Piece) -> Set[str]:
        """The packages, imported elsewhere by their own names, that get a module by an import."""
        packages = set()  # type: Set[str]
        for node in piece.executed():
            if isinstance(node, ast.Import):
                packages |= {alias.name.split(".")[0] for alias in node.names if "." in alias.name}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                packages.add(node.module.split(".")[0])
        return {name for name in packages if self._names.get(name) == name and name not in piece.binds}


_FIELDS = frozenset(["dataclasses.field", "enum.auto", "property"])


def root_call(node: ast.AST) -> ast.AST:
    return node.func if isinstance(node, ast.Call) else node


def _attributes(node: ast.AST) -> Iterator[str]:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value


def _of_type(node: ast.AST) -> bool:
    """Whether something is set on type(...)."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


def _looked_at(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that it looks into, and neither changes, keeps nor hands on."""
    if isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, ast.Compare):
        yield node.left
        yield from node.comparators
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _PURE_BUILTINS:
            yield from node.args
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _PURE_METHODS:
            yield node.func.value
            if node.func.attr == "join":
                yield from node.args
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    elif isinstance(node, (ast.Starred, ast.FormattedValue)):
        yield node.value
    elif isinstance(node, (ast.If, ast.While, ast.Assert, ast.IfExp)):
        yield node.test
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BinOp):
        yield node.left
        yield node.right

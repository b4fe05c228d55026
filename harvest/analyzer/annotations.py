"""Annotations as shapes: typing, collections.abc, builtins, and the classes of the module itself."""

import ast
from typing import Any, List, Optional

from analyzer import shapes
from analyzer.shapes import ANY, BYTES, INT, NONE, STR, Shape, union
from analyzer.surroundings import Surroundings

_NUMBER = union(INT, shapes.FLOAT)
_PLAIN = {
    "int": INT, "float": shapes.FLOAT, "bool": shapes.BOOL, "str": STR, "bytes": BYTES, "bytearray": Shape("bytearray"),
    "complex": Shape("complex"), "None": NONE, "object": ANY, "typing.Any": ANY, "typing.Text": STR, "typing.AnyStr": STR,
    "typing.LiteralString": STR, "typing.Hashable": union(STR, INT), "collections.abc.Hashable": union(STR, INT),
    "numbers.Number": _NUMBER, "numbers.Real": _NUMBER, "numbers.Integral": INT, "typing.SupportsInt": INT, "typing.SupportsFloat": _NUMBER,
    "typing.SupportsAbs": _NUMBER, "typing.SupportsIndex": INT, "typing.Sized": shapes.listing(INT), "memoryview": Shape("literal", texts=("memoryview(b'abc')",)),
    "typing.ByteString": BYTES, "collections.abc.Buffer": BYTES, "range": shapes.literal("range(3)", "range(0)", "range(1, 10, 2)"),
    "slice": shapes.literal("slice(1, 3)", "slice(None)"), "type": shapes.literal("int", "str", "list"),
    "typing.Type": shapes.literal("int", "str"), "typing.Pattern": shapes.literal("__import__('re').compile('[a-z]+')"),
    "re.Pattern": shapes.literal("__import__('re').compile('[a-z]+')", "__import__('re').compile(r'(\\w+)=(\\d+)')"),
    "re.Match": shapes.literal("__import__('re').match('(a)(b)?', 'ab')"), "typing.Match": shapes.literal("__import__('re').match('(a)(b)?', 'ab')"),
    "typing.TextIO": shapes.literal("__import__('io').StringIO('first line\\nsecond line\\n')"),
    "typing.BinaryIO": shapes.literal("__import__('io').BytesIO(b'first line\\nsecond line\\n')"),
    "typing.IO": shapes.literal("__import__('io').StringIO('first line\\nsecond line\\n')"),
    "io.StringIO": shapes.literal("__import__('io').StringIO('first line\\nsecond line\\n')"),
    "io.BytesIO": shapes.literal("__import__('io').BytesIO(b'first line\\nsecond line\\n')"),
    "datetime.datetime": shapes.literal("__import__('datetime').datetime(2024, 2, 29, 12, 30)", "__import__('datetime').datetime(1999, 12, 31)"),
    "datetime.date": shapes.literal("__import__('datetime').date(2024, 2, 29)", "__import__('datetime').date(1999, 12, 31)"),
    "datetime.time": shapes.literal("__import__('datetime').time(12, 30)"),
    "datetime.timedelta": shapes.literal("__import__('datetime').timedelta(days=1, hours=2)", "__import__('datetime').timedelta(0)"),
    "datetime.timezone": shapes.literal("__import__('datetime').timezone.utc"),
    "datetime.tzinfo": shapes.literal("__import__('datetime').timezone.utc"),
    "decimal.Decimal": shapes.literal("__import__('decimal').Decimal('1.10')", "__import__('decimal').Decimal(0)"),
    "fractions.Fraction": shapes.literal("__import__('fractions').Fraction(2, 3)"),
    "pathlib.Path": shapes.literal("__import__('pathlib').PurePath('dir/file.txt')"),
    "pathlib.PurePath": shapes.literal("__import__('pathlib').PurePath('dir/file.txt')"), "os.PathLike": STR,
    "uuid.UUID": shapes.literal("__import__('uuid').UUID(int=5)"), "Exception": shapes.literal("ValueError('bad')", "KeyError('k')"),
    "BaseException": shapes.literal("ValueError('bad')"), "random.Random": shapes.literal("__import__('random').Random(0)"),
    "ast.AST": shapes.literal("__import__('ast').parse('x = 1')"),
}  # the programs' own world is asked for by __import__, as a call has no statements
_ANY_LIST = Shape("list", (ANY,))
_LISTS = ("list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "Container", "Reversible")
_SETS = ("set", "Set", "AbstractSet", "MutableSet", "KeysView")
_ITERATORS = ("Iterator", "Generator")
_MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict")
_WRAPPERS = ("Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Awaitable", "ValuesView")
_DEPTH = 8


def shape_of(node: Optional[ast.AST], module: Surroundings, depth: int = 0) -> Shape:
    """The shape of what is annotated so; any where that says nothing."""
    if node is None or depth > _DEPTH:
        return ANY
    if isinstance(node, ast.Constant):
        return _constant(node, module, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], module, depth)
    if isinstance(node, ast.Subscript):
        index = node.slice
        if type(index).__name__ == "Index":  # before 3.9
            index = index.value  # type: ignore[attr-defined]
        arguments = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        return _generic(module.dotted(node.value), arguments, module, depth)
    return _named(module.dotted(node), module, depth)


def _constant(node: ast.Constant, module: Surroundings, depth: int) -> Shape:
    if node.value is None:
        return NONE
    if isinstance(node.value, str):  # an annotation in quotes
        try:
            return shape_of(ast.parse(node.value, mode="eval").body, module, depth + 1)
        except (SyntaxError, ValueError):
            return ANY
    return ANY


def _union(choices: List[Any], module: Surroundings, depth: int) -> Shape:
    found = [shape_of(choice, module, depth + 1) for choice in choices]
    return union(*[shape for shape in found if shape.kind != "none"] + [shape for shape in found if shape.kind == "none"])


def _generic(name: str, arguments: List[Any], module: Surroundings, depth: int) -> Shape:
    last = name.split(".")[-1]

    def inner(n: int) -> Shape:
        return shape_of(arguments[n], module, depth + 1) if n < len(arguments) else ANY

    if last == "Optional":
        return union(inner(0), NONE)
    if last in _WRAPPERS:
        return inner(0)
    if last == "Union":
        return _union(arguments, module, depth)
    if last == "Literal":
        return shapes.literal(*[ast.literal_eval(a).__repr__() if isinstance(a, (ast.Constant, ast.UnaryOp)) else "None" for a in arguments])
    if last in _LISTS or last == "deque":
        return Shape("deque" if last == "deque" else "list", (inner(0),))
    if last in _SETS:
        return Shape("set", (inner(0),))
    if last in ("frozenset", "FrozenSet"):
        return Shape("frozenset", (inner(0),))
    if last in _ITERATORS:
        return Shape("iterator", (inner(0),))
    if last in _MAPPINGS:
        return Shape("dict", (inner(0), inner(1)))
    if last == "Counter":
        return Shape("counter", (inner(0),))
    if last in ("tuple", "Tuple"):
        if len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is Ellipsis:
            return Shape("tuples", (inner(0),))
        return Shape("tuple", tuple(inner(n) for n in range(len(arguments)) if not isinstance(arguments[n], ast.Tuple)))
    if last == "Callable":
        given = arguments[0] if arguments else None
        count = len(given.elts) if isinstance(given, ast.List) else -1
        return Shape("callable", (inner(1),), (), (count,))
    if last in ("Type", "type"):
        return shapes.literal("int", "str")
    return _named(name, module, depth)


def _named(name: str, module: Surroundings, depth: int) -> Shape:
    last = name.split(".")[-1]
    if name in module.classes:
        return instance(module, name)
    if name in module.constants:
        return _alias(module.constants[name], module, depth)
    for known in (name, name.replace("typing_extensions.", "typing.").replace("collections.abc.", "typing.")):
        if known in _PLAIN:
            return _PLAIN[known]
    if last in _LISTS + _SETS + _ITERATORS + _MAPPINGS + ("deque", "frozenset", "FrozenSet", "Counter", "Callable"):
        return _generic(name, [], module, depth)
    if last in ("tuple", "Tuple"):
        return Shape("tuples", (ANY,))
    return ANY


def _alias(value: ast.AST, module: Surroundings, depth: int) -> Shape:
    """A name for a type: Vector = List[float], UserId = NewType(...), T = TypeVar(..., bound=...), Point = namedtuple(...)."""
    if not isinstance(value, ast.Call):
        return shape_of(value, module, depth + 1)
    called = module.dotted(value.func).split(".")[-1]
    if called == "NewType" and len(value.args) == 2:
        return shape_of(value.args[1], module, depth + 1)
    if called == "TypeVar":
        for keyword in value.keywords:
            if keyword.arg == "bound":
                return shape_of(keyword.value, module, depth + 1)
        return _union(value.args[1:], module, depth) if len(value.args) > 1 else union(INT, STR)
    return ANY


def instance(module: Surroundings, name: str) -> Shape:
    """What a class of the module is made as: an enumeration's members, a TypedDict's keys, else a call of it."""
    node = module.classes[name]
    if module.inherits(name, "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"):
        members = [
            target.id for child in node.body if isinstance(child, ast.Assign) for target in child.targets
            if isinstance(target, ast.Name) and not target.id.startswith("_")
        ]
        return shapes.literal(*["%s.%s" % (name, member) for member in members]) if members else ANY
    if module.inherits(name, "TypedDict"):
        fields = [child for child in node.body if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name)]
        keys = tuple(repr(field.target.id) for field in fields)  # type: ignore[union-attr]
        return Shape("record", tuple(shape_of(field.annotation, module, 1) for field in fields), keys)
    return Shape("instance", (), (name,))

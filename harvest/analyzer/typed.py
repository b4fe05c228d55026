"""Calls of functions with arguments that fit: by their annotations, and by how they are used."""

import ast
from typing import Any, Dict, List, Optional, Tuple

from analyzer.chance import Chance
from analyzer.shapes import ANY, STR, Shape, literal
from analyzer.signatures import Parameter, parameters_of
from analyzer.surroundings import Surroundings
from analyzer.uses import Uses
from analyzer.values import EDGE, TYPICAL, Values

_FILE = frozenset("read readline readlines write writelines seek tell flush close readable writable seekable truncate getvalue closed".split())
_FILES = (
    "__import__('io').StringIO('first line\\nkey=value\\n\\nlast line')", "__import__('io').StringIO('')",
    "__import__('io').BytesIO(b'first line\\nsecond\\x00')",
)
_NEST = 3  # how deep instances are made of instances


class Typed:
    """Makes calls of one function. The same seed gives the same calls."""

    def __init__(self, surroundings: Surroundings, uses: Uses, seed: str) -> None:
        self.surroundings = surroundings
        self.uses = uses
        self.chance = Chance(seed)
        self.values = Values(self.chance, self._make_instance)

    def calls(self, entry: str, node: Any, count: int, bound: bool = False) -> List[str]:
        """Up to count different calls of what the expression entry names: everyday values first, and then edges too."""
        parameters = parameters_of(node, bound)
        shapes = self.shapes(entry, node, parameters)
        found = {}  # type: Dict[str, None]
        for n in range(3 * count):
            if len(found) >= count:
                break
            style = EDGE if n % 3 == 2 else TYPICAL
            found["%s(%s)" % (entry, ", ".join(self._arguments(parameters, shapes, style, n)))] = None
            if not parameters:
                break
        return list(found)

    def instance(self, name: str) -> str:
        """An expression that makes an object of a class of the module."""
        return self._make_instance(name, 0)

    def shapes(self, key: str, node: Any, parameters: List[Parameter]) -> Dict[str, Shape]:
        known = self.uses.of_node(key, node)
        return {parameter.name: self._with_classes(known[parameter.name].shape()) for parameter in parameters}

    def _with_classes(self, shape: Shape, depth: int = 0) -> Shape:
        """An unknown object becomes an instance of the class of the module that has its attributes."""
        if shape.kind == "object" and set(shape.texts) <= _FILE:
            return literal(*_FILES)
        if shape.kind == "object":
            for name in self.surroundings.classes:
                if self.surroundings.attributes(name).issuperset(shape.texts):
                    return Shape("instance", (), (name,))
        if depth > 5 or not shape.parts:
            return shape
        return shape._replace(parts=tuple(self._with_classes(part, depth + 1) for part in shape.parts))

    def _arguments(self, parameters: List[Parameter], shapes: Dict[str, Shape], style: str, n: int) -> List[str]:
        given = []  # type: List[Tuple[Parameter, str]]
        skipped = False
        for parameter in parameters:
            shape = shapes[parameter.name]
            if parameter.kind == "var":
                if not skipped and self.chance.odds(0.7):
                    item = shape.part(0) if shape.kind == "tuples" else ANY
                    given.extend((parameter._replace(kind="place"), self.values.text(item, style, 1)) for _ in range(self.chance.below(4)))
            elif parameter.kind == "keywords":
                if self.chance.odds(0.3):
                    given.append((parameter._replace(kind="keyword", name="key"), self.values.text(STR, style, 1)))
            elif parameter.default is not None and not self.chance.odds(0.35 if n else 0.0):
                skipped = True
            else:
                mine = style if style == TYPICAL or self.chance.odds(0.6) else TYPICAL
                if shape.kind == "union" and n < 2 * len(shape.parts) and n % 2 == 0:
                    shape = shape.parts[n // 2]  # each choice is tried early
                if skipped and parameter.kind == "place":
                    parameter = parameter._replace(kind="keyword")
                given.append((parameter, self.values.text(shape, mine)))
        return [text if parameter.kind == "place" else "%s=%s" % (parameter.name, text) for parameter, text in self._related(given)]

    def _related(self, given: List[Tuple[Parameter, str]]) -> List[Tuple[Parameter, str]]:
        """Arguments that have to do with each other: a key that is there, a part of the text, a place in the list."""
        if len(given) < 2 or self.chance.odds(0.35):
            return given
        trees = [_parsed(text) for _, text in given]
        for n, tree in enumerate(trees):
            if tree is None or not self.chance.odds(0.6):
                continue
            other = trees[self.chance.below(len(trees))]
            found = piece(tree, other, self.chance) if other is not None and other is not tree else None
            if found is not None:
                given[n] = (given[n][0], found)
        return given

    def _make_instance(self, name: str, depth: int) -> str:
        """The call that makes an instance of a class of the module."""
        if depth > _NEST:
            return "None"
        fields = _fields(self.surroundings, name)
        init = self.surroundings.method(name, "__init__") or self.surroundings.method(name, "__new__")
        if init is not None:
            known = self.uses.of_node("%s.%s" % (name, init.name), init)
            parameters = parameters_of(init, bound=True)
        elif fields:
            known, parameters = {}, fields
        elif any(name in ("Exception", "ValueError", "RuntimeError") for name in _base_names(self.surroundings, name)):
            return "%s('message')" % name
        else:
            return "%s()" % name
        given = []
        for parameter in parameters:
            if parameter.default is None and parameter.kind in ("place", "keyword"):
                shape = known[parameter.name].shape() if parameter.name in known else parameter.shape(self.surroundings)
                text = self.values.text(self._with_classes(shape), TYPICAL, depth)
                given.append(text if parameter.kind == "place" else "%s=%s" % (parameter.name, text))
        return "%s(%s)" % (name, ", ".join(given))


def _parsed(text: str) -> Optional[ast.expr]:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def piece(own: ast.expr, other: ast.expr, chance: Chance) -> Optional[str]:
    """A value like own that is part of the other one, as text."""
    if isinstance(other, ast.Constant) and isinstance(other.value, str):
        size = len(other.value)
        if isinstance(own, ast.Constant) and isinstance(own.value, str) and size:
            start = chance.pick([0, chance.below(size), max(size - 2, 0)])
            return repr(other.value[start:start + chance.pick([1, 1, 2, 3, size])])
        if isinstance(own, ast.Constant) and type(own.value) is int and size:
            return str(chance.below(size))
        return None
    if isinstance(other, (ast.List, ast.Tuple, ast.Set)) and other.elts:
        if isinstance(own, ast.Constant) and type(own.value) is int and not _like(own, other.elts[0]):
            return str(chance.below(len(other.elts)))
        item = chance.pick(other.elts)
        return _unparsed(item) if _like(own, item) else None
    if isinstance(other, ast.Dict) and other.keys:
        key = chance.pick(other.keys)
        if key is not None and isinstance(own, ast.Constant) and not isinstance(own.value, bool):
            return _unparsed(key)
        if isinstance(own, ast.List) and all(_like(item, key) for item in own.elts if key is not None):
            return "[%s]" % ", ".join(_unparsed(one) for one in chance.some([k for k in other.keys if k is not None], 2))
    return None


def _like(own: ast.expr, item: Optional[ast.expr]) -> bool:
    if isinstance(own, ast.Constant) and isinstance(item, ast.Constant):
        return type(own.value) is type(item.value)
    return type(own) is type(item)


def _unparsed(node: ast.expr) -> str:
    """The text of a value that this generator has made."""
    try:
        return repr(ast.literal_eval(node))
    except ValueError:
        return "None"


def _base_names(surroundings: Surroundings, name: str) -> List[str]:
    return [surroundings.dotted(base) for node in surroundings.bases(name) for base in node.bases]


def _fields(surroundings: Surroundings, name: str) -> List[Parameter]:
    """The parameters of the __init__ that dataclass or NamedTuple makes."""
    node = surroundings.classes[name]
    decorated = any(surroundings.dotted(d).split(".")[-1] in ("dataclass", "define", "attrs") for d in node.decorator_list)
    if not decorated and not surroundings.inherits(name, "NamedTuple"):
        return []
    found = {}  # type: Dict[str, Parameter]
    for of in reversed(surroundings.bases(name)):
        for child in of.body:
            if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
                if surroundings.dotted(getattr(child.annotation, "value", child.annotation)).split(".")[-1] != "ClassVar":
                    found[child.target.id] = Parameter(child.target.id, "place", child.annotation, child.value, "")
    return list(found.values())

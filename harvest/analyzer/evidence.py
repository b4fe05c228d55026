"""What is known of a value from how a program uses it, and the shape that explains it best.

Each use multiplies the weights of the kinds that a value may be of: those without the operation lose. Values that meet in an
assignment or a comparison share what is known of them.
"""

from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from analyzer.shapes import Shape, union

# How often parameters without annotations are of a kind, roughly, in the functions of the usual data sets.
PRIOR = {
    "str": 1.0, "int": 1.0, "list": 1.0, "dict": 0.5, "float": 0.3, "tuple": 0.2, "bool": 0.15, "set": 0.1,
    "none": 0.04, "callable": 0.04, "bytes": 0.03, "complex": 0.005,
}
KINDS = tuple(PRIOR)
TYPES = {
    "str": str, "int": int, "list": list, "dict": dict, "float": float, "tuple": tuple, "bool": bool, "set": set,
    "none": type(None), "bytes": bytes, "complex": complex,
}  # type: Dict[str, type]
ITERABLE = {"list": 1.0, "str": 0.6, "tuple": 0.6, "dict": 0.4, "set": 0.5, "bytes": 0.4}
SEQUENCE = {"list": 1.0, "str": 0.9, "tuple": 0.6, "bytes": 0.3}
NUMBER = {"int": 1.0, "float": 0.8, "bool": 0.1, "complex": 0.1}
HASHABLE = {"str": 1.0, "int": 1.0, "tuple": 0.6, "float": 0.5, "bool": 0.5, "none": 0.5, "bytes": 0.5}

_UNLIKELY = 0.01  # of a kind that a use speaks against: it may stand behind a check
IMPOSSIBLE = 0.001  # likewise, where the operation is of one kind alone
_PARTS = ("iter", "item", "key", "value")
_DEPTH = 5  # of nested containers
# Items of containers are mostly plain.
_INNER = {"list": 0.25, "dict": 0.2, "tuple": 0.5, "set": 0.3, "bool": 0.5, "none": 0.5, "callable": 0.3}
_CLOSE = 0.2  # of the best kind's weight: what else is worth trying


class Node:
    """What is known of one value. Merged nodes are one."""

    def __init__(self, **known: float) -> None:
        self._into = None  # type: Optional[Node]
        self._factors = {}  # type: Dict[str, float]
        self._parts = {}  # type: Dict[str, Node]
        self._texts = []  # type: List[str]
        self._sizes = []  # type: List[int]
        self._fields = {}  # type: Dict[str, Node]
        self._shapes = []  # type: List[Shape]
        self.origin = None  # type: Any  # what the value is, where that is no use but a fact: a definition
        if known:
            self.only(known)

    def root(self) -> "Node":
        node = self
        while node._into is not None:
            node = node._into
        return node

    def only(self, kinds: Dict[str, float], unlikely: float = _UNLIKELY) -> None:
        """The value is of one of these kinds."""
        node = self.root()
        for kind in KINDS:
            node._factors[kind] = _bounded(node._factors.get(kind, 1.0) * kinds.get(kind, unlikely))

    def likely(self, kinds: Dict[str, float]) -> None:
        """These kinds are more or less likely by a factor."""
        node = self.root()
        for kind, factor in kinds.items():
            node._factors[kind] = _bounded(node._factors.get(kind, 1.0) * factor)

    def has(self, attribute: str) -> bool:
        """The attribute is taken of the value; false where no builtin type has it, so that it must be an object of another."""
        kinds = {kind: 1.0 for kind, of in TYPES.items() if hasattr(of, attribute)}
        self.only(kinds, IMPOSSIBLE)
        return bool(kinds)

    def part(self, name: str) -> "Node":
        node = self.root()
        if name not in node._parts:
            node._parts[name] = Node()
        return node._parts[name].root()

    def field(self, name: str) -> "Node":
        node = self.root()
        if name not in node._fields:
            node._fields[name] = Node()
        return node._fields[name].root()

    def fields(self) -> FrozenSet[str]:
        return frozenset(self.root()._fields)

    def text(self, text: str) -> None:
        texts = self.root()._texts
        if text not in texts and len(texts) < 12 and len(text) < 80:
            texts.append(text)

    def size(self, size: int) -> None:
        sizes = self.root()._sizes
        if size not in sizes and 0 <= size <= 40:
            sizes.append(size)

    def shaped(self, shape: Shape) -> None:
        """The value has this shape, whatever the uses say."""
        node = self.root()
        if shape.kind != "any" and shape not in node._shapes:
            node._shapes.append(shape)

    def merge(self, other: "Node") -> None:
        """The two are of one kind."""
        a, b = self.root(), other.root()
        if a is b:
            return
        b._into = a
        for kind, factor in b._factors.items():
            a._factors[kind] = _bounded(a._factors.get(kind, 1.0) * factor)
        for text in b._texts:
            a.text(text)
        for size in b._sizes:
            a.size(size)
        for shape in b._shapes:
            a.shaped(shape)
        a.origin = a.origin or b.origin
        for name, node in b._parts.items():
            _adopt(a.root()._parts, name, node)
        for name, node in b._fields.items():
            _adopt(a.root()._fields, name, node)

    def weights(self, depth: int = 0, done: Optional[Dict[Tuple[int, int], Dict[str, float]]] = None) -> Dict[str, float]:
        """The kinds by weight; the sum is 1. Done are those that are known already, by the node's id and the depth."""
        node = self.root()
        done = {} if done is None else done
        key = (id(node), depth)
        if key not in done:
            done[key] = node._weighed(depth, done)
        return done[key]

    def _weighed(self, depth: int, done: Dict[Tuple[int, int], Dict[str, float]]) -> Dict[str, float]:
        weights = {kind: PRIOR[kind] * self._factors.get(kind, 1.0) for kind in KINDS}
        if depth:
            for kind, factor in _INNER.items():
                weights[kind] *= factor
        if self._fields:
            weights["object"] = 0.02
        if depth < _DEPTH:
            for name in _PARTS:
                if name in self._parts:
                    weights["str"] *= _share(self.part(name), ("str",), depth + 1, done)
                    weights["bytes"] *= _share(self.part(name), ("int",), depth + 1, done)
            for name in ("iter", "key"):
                if name in self._parts:
                    hashable = _share(self.part(name), tuple(HASHABLE), depth + 1, done)
                    weights["dict"] *= hashable
                    weights["set"] *= hashable
        total = sum(weights.values())
        return {kind: weight / total for kind, weight in weights.items()}

    def known(self, kind: str) -> bool:
        return self.weights(_DEPTH - 1).get(kind, 0.0) > 0.6

    def shape(self, depth: int = 0, done: "Optional[_Done]" = None) -> Shape:
        """The likeliest shapes, best first."""
        node = self.root()
        if node._shapes:
            return union(*(shape._replace(texts=shape.texts or tuple(node._texts)) for shape in node._shapes))
        if depth > _DEPTH:
            return Shape("int")
        done = _Done() if done is None else done
        key = (id(node), depth)
        if key not in done.shapes:
            weights = node.weights(depth)
            ranked = sorted(weights, key=lambda kind: -weights[kind])
            best = weights[ranked[0]]
            done.shapes[key] = union(*(node._of(kind, depth, done) for kind in ranked[:4] if weights[kind] >= _CLOSE * best))
        return done.shapes[key]

    def _of(self, kind: str, depth: int, done: "_Done") -> Shape:
        texts, sizes = tuple(self._texts), tuple(self._sizes)
        if "len" in self._parts:  # compared with these
            sizes += tuple(n for text in self.part("len")._texts if text.isdigit() for n in (int(text), int(text) + 1) if n <= 40)
        if kind in ("list", "set", "tuple"):
            places = self._places()
            if places and kind != "set":
                return Shape("tuple" if kind == "tuple" else "row", tuple(place.shape(depth + 1, done) for place in places))
            item = self._joined("iter", "item", done).shape(depth + 1, done)
            return Shape("tuples" if kind == "tuple" else kind, (item,), (), sizes)
        if kind == "dict":
            if self._fields_of_record():
                names = sorted(name[4:] for name in self._parts if name.startswith("key:"))
                return Shape("record", tuple(self.part("key:" + name).shape(depth + 1, done) for name in names), tuple(names))
            key, value = self._joined("iter", "key", done), self._joined("item", "value", done)
            if not key._factors:
                key.likely({"str": 3.0, "int": 1.5})
                done.forget(key)
            return Shape("dict", (key.shape(depth + 1, done), value.shape(depth + 1, done)), (), sizes)
        if kind == "str":
            for name in _PARTS:
                if name in self._parts:
                    texts += tuple(text for text in self.part(name)._texts if text not in texts)
            return Shape("str", (), tuple(text for text in texts if text[:1] in "'\"" and text not in ("''", '""')), sizes)
        if kind == "callable":
            given = sorted(int(name[3:]) for name in self._parts if name.startswith("arg"))
            return Shape("callable", (self.part("result").shape(depth + 1, done),), (), (len(given) if given else -1,))
        if kind == "object":
            names = tuple(sorted(self._fields))
            return Shape("object", tuple(self.field(name).shape(depth + 1, done) for name in names), names)
        return Shape(kind, (), texts if kind in ("int", "float", "bytes") else ())

    def _fields_of_record(self) -> bool:
        return any(name.startswith("key:") for name in self._parts) and "value" not in self._parts

    def _places(self) -> List["Node"]:
        numbers = sorted(int(name[2:]) for name in self._parts if name.startswith("at"))
        count = (numbers[-1] + 1) if numbers else 0
        return [self.part("at%d" % n) for n in range(count)] if "unpacked" in self._parts else []

    def _joined(self, first: str, second: str, done: "_Done") -> "Node":
        """What is known of two parts that would be one if the value were of a kind; the parts themselves stay apart."""
        if first in self._parts and second in self._parts:
            return _both(self.part(first), self.part(second), 0, done)
        return self.part(first if first in self._parts else second)


class _Done:
    """What one reading of a shape has found of nodes, which may lead to themselves, and by many ways to each other."""

    def __init__(self) -> None:
        self.shapes = {}  # type: Dict[Tuple[int, int], Shape]  # by the node's id, and the depth
        self.joined = {}  # type: Dict[Tuple[int, int, int], Node]  # of two nodes, at a depth; they live as long as this does

    def forget(self, node: Node) -> None:
        """What was found of a node holds no longer."""
        for depth in range(_DEPTH + 1):
            self.shapes.pop((id(node.root()), depth), None)


def _bounded(factor: float) -> float:
    """Values that are compared again and again must not end at factors of nothing, or of infinity."""
    return min(max(factor, 1e-12), 1e12)


def _adopt(into: Dict[str, Node], name: str, node: Node) -> None:
    if name in into:
        into[name].merge(node)
    else:
        into[name] = node


def _both(a: Node, b: Node, depth: int, done: _Done) -> Node:
    key = (id(a.root()), id(b.root()), depth)
    if key in done.joined:
        return done.joined[key]
    joined = done.joined[key] = Node()
    for node in (a.root(), b.root()):
        joined.likely(node._factors)
        for text in node._texts:
            joined.text(text)
        for shape in node._shapes:
            joined.shaped(shape)
        for name, part in list(node._parts.items()):
            there = joined._parts.get(name)
            joined._parts[name] = part if there is None or depth > _DEPTH else _both(there, part, depth + 1, done)
        joined._fields.update(node._fields)
    return joined


def _share(node: Node, kinds: Any, depth: int, done: Dict[Tuple[int, int], Dict[str, float]]) -> float:
    weights = node.weights(depth, done)
    return max(sum(weights.get(kind, 0.0) for kind in kinds), 1e-6)

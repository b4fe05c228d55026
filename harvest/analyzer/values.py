"""Expressions for arguments of a shape."""

import ast
from typing import Callable, List

from analyzer.chance import Chance
from analyzer.shapes import BOOL, FLOAT, INT, STR, Shape, listing, mapping, union
from analyzer.words import BYTES, CHARACTERS, FLOATS, INTEGERS, WORDS

TYPICAL, EDGE = "typical", "edge"  # everyday values; empty, zero, negative, one, large ones
_DEPTH = 4
_UNKNOWN = union(INT, STR, listing(INT), listing(STR), mapping(STR, INT), FLOAT, BOOL, Shape("tuples", (INT,)), Shape("none"))
_HASHABLE = {"list": "tuples", "set": "frozenset", "dict": "str", "row": "tuple", "record": "str", "counter": "str", "deque": "tuples"}
_FUNCTIONS = {
    "bool": ["lambda x: bool(x)", "lambda x: x == 1", "lambda x: x > 'b'"],
    "int": ["lambda x: x + 1", "len", "abs", "lambda x: -x"],
    "str": ["str", "repr", "lambda x: x.upper()"],
}
_ONE = ["lambda x: x", "lambda x: x * 2", "str", "lambda x: [x]", "lambda x: x > 1", "len"]
_TWO = ["lambda a, b: a + b", "max", "lambda a, b: a", "lambda a, b: (a > b) - (a < b)", "lambda a, b: [a, b]"]


class Values:
    """Makes expressions for shapes; make_instance writes the call that makes an instance of a class of the module."""

    def __init__(self, chance: Chance, make_instance: Callable[[str, int], str]) -> None:
        self.chance = chance
        self._make_instance = make_instance

    def text(self, shape: Shape, style: str = TYPICAL, depth: int = 0) -> str:
        if shape.kind == "union":
            return self.text(self._choice(shape), style, depth)
        maker = getattr(self, "_" + shape.kind, None)
        if maker is None or depth > _DEPTH:
            return self._int(INT, style, depth)
        return maker(shape, style, depth)

    def _choice(self, shape: Shape) -> Shape:
        """The first choices are the likelier ones."""
        for choice in shape.parts[:-1]:
            if self.chance.odds(0.6):
                return choice
        return shape.parts[-1]

    def _any(self, shape: Shape, style: str, depth: int) -> str:
        return self.text(self.chance.pick(_UNKNOWN.parts), style, depth + 1)

    def _int(self, shape: Shape, style: str, depth: int) -> str:
        numbers = [int(text) for text in shape.texts if text.lstrip("-").isdigit() and len(text) < 10]
        if numbers and self.chance.odds(0.5):
            return str(self.chance.pick(numbers) + self.chance.pick([0, 0, 1, -1]))
        if style == EDGE:
            return self.chance.pick(["0", "1", "-1", "100", "-5", "2"])
        return self.chance.pick(INTEGERS)

    def _float(self, shape: Shape, style: str, depth: int) -> str:
        if shape.texts and self.chance.odds(0.5):
            number = self.chance.pick(shape.texts)
            return number if "." in number else number + ".0"
        return self.chance.pick(["0.0", "-1.5", "1e6", "1.0"] if style == EDGE else FLOATS)

    def _complex(self, shape: Shape, style: str, depth: int) -> str:
        return self.chance.pick(["1 + 2j", "0j", "-1.5j"])

    def _bool(self, shape: Shape, style: str, depth: int) -> str:
        return self.chance.pick(["True", "False"])

    def _none(self, shape: Shape, style: str, depth: int) -> str:
        return "None"

    def _literal(self, shape: Shape, style: str, depth: int) -> str:
        return self.chance.pick(shape.texts)

    def _str(self, shape: Shape, style: str, depth: int) -> str:
        if shape.sizes == (1,) and self.chance.odds(0.8):
            return self._character(shape)
        marks = [ast.literal_eval(text) for text in shape.texts]
        marks = [mark for mark in marks if isinstance(mark, str) and mark]
        if style == EDGE and self.chance.odds(0.5):
            return self.chance.pick(["''", "'a'", "' '", repr(self.chance.pick(WORDS) * 3)])
        if not marks or self.chance.odds(0.3):
            return repr(self.chance.pick(WORDS))
        return repr(self._marked(marks))

    def _marked(self, marks: List[str]) -> str:
        """A text that what the program looks for is in, at either end or inside, or that it separates."""
        mark, word, other = self.chance.pick(marks), self.chance.pick(WORDS), self.chance.pick(WORDS)
        form = self.chance.below(10)
        if form in (0, 8, 9):
            return mark
        if form == 1:
            return mark + word
        if form == 2:
            return word + mark
        if form == 3:
            return "".join(self.chance.pick(marks) for _ in range(1 + self.chance.below(5)))
        if form == 4:
            return word[:2] + "".join(self.chance.pick(marks) + other[:n % 3] for n in range(4))
        if form == 5:
            return mark.join(self.chance.some([word, other, self.chance.pick(CHARACTERS)] + marks, 4))
        return word + mark + other

    def _character(self, shape: Shape) -> str:
        marks = [text for text in shape.texts if len(text) == 3]
        return self.chance.pick(marks) if marks and self.chance.odds(0.5) else repr(self.chance.pick(CHARACTERS))

    def _bytes(self, shape: Shape, style: str, depth: int) -> str:
        marks = [text for text in shape.texts if text[:1] == "b"]
        if marks and self.chance.odds(0.5):
            return "%s + %s" % (self.chance.pick(marks), self.chance.pick(BYTES)) if self.chance.odds(0.5) else self.chance.pick(marks)
        return self.chance.pick(["b''", "b'a'", "b'\\x00\\xff'"] if style == EDGE else BYTES)

    def _bytearray(self, shape: Shape, style: str, depth: int) -> str:
        return "bytearray(%s)" % self._bytes(shape, style, depth)

    def _items(self, shape: Shape, style: str, depth: int) -> List[str]:
        if style == EDGE and depth == 0:
            count = self.chance.pick([0, 0, 1, 1, 2, 9])
        else:
            count = self.chance.pick([1, 2, 3, 3, 4, 5, 6] if depth == 0 else [1, 2, 3, 3])
        if shape.sizes and self.chance.odds(0.7):
            count = max(0, self.chance.pick(shape.sizes) + self.chance.pick([0, 0, 1]))
        if not shape.parts or shape.parts[0].kind == "any":
            one = self.chance.pick([INT, INT, STR, FLOAT])
        else:
            one = self._choice(shape.parts[0]) if shape.parts[0].kind == "union" and self.chance.odds(0.85) else shape.parts[0]
        items = [self.text(one, TYPICAL if self.chance.odds(0.9) else EDGE, depth + 1) for _ in range(count)]
        if len(items) > 1 and self.chance.odds(0.4):
            items[-1] = items[0]  # programs look for what is there twice
        return items

    def _list(self, shape: Shape, style: str, depth: int) -> str:
        if shape.parts and shape.parts[0].kind in ("list", "union") and depth == 0 and self.chance.odds(0.3):
            return self._square(shape.parts[0], depth)
        items = self._items(shape, style, depth)
        if items and self.chance.odds(0.2):
            items.sort()
        return "[%s]" % ", ".join(items)

    def _square(self, row: Shape, depth: int) -> str:
        """Rows of one length: what programs take for a matrix."""
        if row.kind == "union":
            row = next((part for part in row.parts if part.kind == "list"), row)
        size, item = 1 + self.chance.below(3), row.part(0) if row.kind == "list" else row
        rows = ["[%s]" % ", ".join(self.text(item, TYPICAL, depth + 2) for _ in range(size)) for _ in range(size)]
        return "[%s]" % ", ".join(rows) if row.kind == "list" else rows[0]

    def _row(self, shape: Shape, style: str, depth: int) -> str:
        return "[%s]" % ", ".join(self.text(part, style, depth + 1) for part in shape.parts)

    def _tuple(self, shape: Shape, style: str, depth: int) -> str:
        return _tuple([self.text(part, style, depth + 1) for part in shape.parts])

    def _tuples(self, shape: Shape, style: str, depth: int) -> str:
        return _tuple(self._items(shape, style, depth))

    def _set(self, shape: Shape, style: str, depth: int) -> str:
        items = self._items(shape._replace(parts=(_hashable(shape.part(0)),)), style, depth)
        return "{%s}" % ", ".join(dict.fromkeys(items)) if items else "set()"

    def _frozenset(self, shape: Shape, style: str, depth: int) -> str:
        return "frozenset(%s)" % self._set(shape, style, depth)

    def _iterator(self, shape: Shape, style: str, depth: int) -> str:
        return "iter(%s)" % self._list(shape, style, depth)

    def _deque(self, shape: Shape, style: str, depth: int) -> str:
        return "__import__('collections').deque(%s)" % self._list(shape, style, depth)

    def _counter(self, shape: Shape, style: str, depth: int) -> str:
        return "__import__('collections').Counter(%s)" % self._list(shape._replace(parts=(_hashable(shape.part(0)),)), style, depth)

    def _dict(self, shape: Shape, style: str, depth: int) -> str:
        key = _hashable(shape.part(0) if shape.part(0).kind != "any" else STR)
        keys = list(dict.fromkeys(self._items(Shape("list", (key,), (), shape.sizes), style, depth)))
        value = shape.part(1)
        if value.kind in ("any", "union"):
            value = self._choice(value) if value.kind == "union" else self.chance.pick([INT, INT, STR, listing(INT)])
        return "{%s}" % ", ".join("%s: %s" % (one, self.text(value, TYPICAL, depth + 1)) for one in keys)

    def _record(self, shape: Shape, style: str, depth: int) -> str:
        pairs = ["%s: %s" % (key, self.text(part, style, depth + 1)) for key, part in zip(shape.texts, shape.parts)]
        return "{%s}" % ", ".join(pairs)

    def _callable(self, shape: Shape, style: str, depth: int) -> str:
        arity, result = shape.sizes[0] if shape.sizes else -1, shape.part(0)
        result = result.parts[0] if result.kind == "union" else result
        if arity == 0:
            return "lambda: %s" % self.text(result, style, depth + 1)
        if arity == 1:
            known = _FUNCTIONS.get(result.kind, [])
            return self.chance.pick(known if known and self.chance.odds(0.7) else _ONE)
        if arity == 2:
            return self.chance.pick(_TWO)
        return self.chance.pick(["lambda *args, **kwargs: args", "lambda *args, **kwargs: None", "lambda *args, **kwargs: args[0]", "str"])

    def _instance(self, shape: Shape, style: str, depth: int) -> str:
        return self._make_instance(shape.texts[0], depth + 1)

    def _object(self, shape: Shape, style: str, depth: int) -> str:
        fields = ", ".join("%s=%s" % (name, self.text(part, style, depth + 1)) for name, part in zip(shape.texts, shape.parts))
        return "__import__('types').SimpleNamespace(%s)" % fields


def _hashable(shape: Shape) -> Shape:
    if shape.kind == "union":
        return union(*(_hashable(part) for part in shape.parts))
    if shape.kind == "any":
        return union(STR, INT)
    if shape.kind in _HASHABLE:
        kind = _HASHABLE[shape.kind]
        return Shape(kind, shape.parts if kind != "str" else ()) if kind != "tuples" else Shape(kind, tuple(_hashable(part) for part in shape.parts))
    return shape


def _tuple(items: List[str]) -> str:
    return "(%s,)" % items[0] if len(items) == 1 else "(%s)" % ", ".join(items)

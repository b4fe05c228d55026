"""Calls made out of calls: an argument, or something in it, is changed. Nothing is evaluated: texts are taken apart by their trees."""

import ast
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional

from analyzer.definitions import FunctionNode
from analyzer.expressions import UNPARSABLE, expression
from analyzer.module import Text
from analyzer.shapes import Shape
from analyzer.signatures import parameters_of
from analyzer.typed import Typed, piece
from analyzer.values import EDGE, TYPICAL
from analyzer.words import CHARACTERS, WORDS

_MAX_CHARS = 2000  # of a call: mutants must not grow without end


class Place(NamedTuple):
    """Something in a call that can be replaced, and the parameter that it belongs to."""

    node: ast.expr
    parameter: str
    whole: bool  # it is the argument itself


class Mutator:
    """Changes calls of one function. The same seed and calls give the same mutants."""

    def __init__(self, typed: Typed, entry: str, node: FunctionNode, bound: bool = False) -> None:
        self.typed = typed
        self.chance = typed.chance
        self.entry = entry
        self.parameters = parameters_of(node, bound)
        self.shapes = typed.shapes(entry, node, self.parameters)
        self.constants = _constants(node)

    def calls(self, corpus: List[str], count: int, known: Iterable[str]) -> List[str]:
        """Up to count mutants that are not among the known calls, in turn of the corpus's."""
        seen = set(known)
        found = []  # type: List[str]
        for n in range(4 * count):
            if len(found) == count or not corpus:
                break
            mutant = corpus[n % len(corpus)]
            for _ in range(self.chance.pick([1, 1, 1, 2, 3])):
                mutant = self.mutant(mutant, self.chance.pick(corpus)) or mutant
            if mutant not in seen and len(mutant) <= _MAX_CHARS and _parses(mutant):
                seen.add(mutant)
                found.append(mutant)
        return found

    def mutant(self, call: str, other: str) -> Optional[str]:
        """The call with one change; None where nothing can be changed."""
        arguments = _arguments(call, self.entry)
        if arguments is None:
            return None
        places = self._places(arguments)
        if not places:
            return None
        place = self.chance.pick([p for p in places if p.whole] if self.chance.odds(0.3) else places)
        new = self._replacement(place, arguments, other, Text(call))
        return None if new is None else _spliced(call, place.node, new)

    def _places(self, call: ast.Call) -> List[Place]:
        named = [(argument, self._name(n)) for n, argument in enumerate(call.args)]
        named += [(keyword.value, keyword.arg or "") for keyword in call.keywords]
        found = []
        for argument, name in named:
            if not isinstance(argument, ast.Starred):
                found.append(Place(argument, name, True))
                found.extend(Place(node, name, False) for node in _values(argument) if node is not argument)
        return found

    def _name(self, n: int) -> str:
        placed = [parameter.name for parameter in self.parameters if parameter.kind in ("place", "var")]
        return placed[min(n, len(placed) - 1)] if placed else ""

    def _replacement(self, place: Place, call: ast.Call, other: str, text: Text) -> Optional[str]:
        if place.whole and self.chance.odds(0.5):
            return self._other_value(place, call, other)
        node = place.node
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return text.segment(node.operand)
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Dict):
            return self._dict(node, text)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return self._sequence(node, text)
        return self._other_value(place, call, other) if place.whole else None

    def _other_value(self, place: Place, call: ast.Call, other: str) -> Optional[str]:
        """Another value for an argument: a new one of its shape, one of another call, or a part of another argument."""
        form = self.chance.below(4)
        if form == 0:
            theirs = _arguments(other, self.entry)
            for candidate in self._places(theirs) if theirs is not None else []:
                if candidate.whole and candidate.parameter == place.parameter:
                    return Text(other).segment(candidate.node)
        if form == 1 and len(call.args) > 1:
            found = piece(place.node, self.chance.pick(call.args), self.chance)
            if found is not None:
                return found
        shape = self.shapes.get(place.parameter, Shape("any"))
        if shape.kind == "tuples" and any(p.kind == "var" and p.name == place.parameter for p in self.parameters):
            shape = shape.part(0)
        if self.chance.odds(0.1):
            shape = Shape("any")
        return self.typed.values.text(shape, self.chance.pick([TYPICAL, EDGE]))

    def _constant(self, node: ast.Constant) -> Optional[str]:
        value = node.value
        if isinstance(value, bool):
            return repr(not value)
        if isinstance(value, int):
            return repr(self._number(value))
        if isinstance(value, float):
            return repr(self.chance.pick([-value, value + 1, value / 2, 0.0, float(self._number(0))]))
        if isinstance(value, str):
            return repr(self._string(value))
        if isinstance(value, bytes):
            return repr(self.chance.pick([value[:-1], value + value[:1], value[::-1], b"", value + b"\0"] + self.constants["bytes"]))
        return None

    def _number(self, value: int) -> int:
        known = self.constants["int"] or [2]
        near = self.chance.pick(known)
        if abs(value) > 10 ** 9:
            value = 1
        return self.chance.pick([value + 1, value - 1, -value, 0, 1, 2 * value, near, near + 1, near - 1, value + near, value // 2])

    def _string(self, value: str) -> str:
        mark = self.chance.pick(self.constants["str"] or [self.chance.pick(WORDS)])
        at = self.chance.below(len(value) + 1)
        character = self.chance.pick(CHARACTERS)
        forms = [
            lambda: value[:at] + mark + value[at:], lambda: mark + value, lambda: value + mark, lambda: mark, lambda: value[:at] + value[at + 1:],
            lambda: value[:at] + character + value[at:], lambda: value[:at] + character + value[at + 1:], lambda: value[:at], lambda: value[at:],
            lambda: value + value[:3], lambda: value.swapcase(), lambda: value[::-1], lambda: "", lambda: value.upper(), lambda: value.lower(),
            lambda: value.title(), lambda: value[:at] + str(self.chance.below(100)) + value[at:], lambda: mark.join([value, character, value[:2]]),
        ]  # type: List[Callable[[], str]]
        return self.chance.pick(forms)()

    def _sequence(self, node: Any, text: Text) -> Optional[str]:
        items = [text.segment(item) for item in node.elts]
        at = self.chance.below(len(items)) if items else 0
        form = self.chance.below(8)
        if form == 0 or not items:
            items = items + [self.chance.pick(items)] if items else [self.chance.pick(["1", "'a'", "[1]", "0"])]
        elif form == 1:
            items = items[:at] + items[at + 1:]
        elif form == 2:
            items = items[::-1]
        elif form == 3:
            items = items[:at] + [items[at]] + items[at:]
        elif form == 4:
            items = []
        elif form == 5:
            items = items[:at]
        elif form == 6:
            items = sorted(items)
        else:
            items = items + items
        if isinstance(node, ast.Tuple):
            return "(%s,)" % items[0] if len(items) == 1 else "(%s)" % ", ".join(items)
        if isinstance(node, ast.Set):
            return "{%s}" % ", ".join(items) if items else "set()"
        return "[%s]" % ", ".join(items)

    def _dict(self, node: ast.Dict, text: Text) -> Optional[str]:
        pairs = [(text.segment(key), text.segment(value)) for key, value in zip(node.keys, node.values) if key is not None]
        at = self.chance.below(len(pairs)) if pairs else 0
        form = self.chance.below(5)
        if form == 0 or not pairs:
            key = repr(self.chance.pick(self.constants["str"] or ["key"])) if self.chance.odds(0.6) else self.chance.pick(["0", "1", "'a'"])
            pairs.append((key, pairs[at][1] if pairs else "1"))
        elif form == 1:
            pairs = pairs[:at] + pairs[at + 1:]
        elif form == 2:
            pairs = pairs[::-1]
        elif form == 3:
            pairs = []
        else:
            pairs[at] = (pairs[at][0], self.chance.pick(pairs)[1])
        return "{%s}" % ", ".join("%s: %s" % pair for pair in pairs)


def _constants(node: ast.AST) -> Dict[str, List[Any]]:
    """What the function's body compares with, looks for or counts by."""
    found = {"int": [], "str": [], "bytes": []}  # type: Dict[str, List[Any]]
    doc = ast.get_docstring(node, clean=False)  # type: ignore[arg-type]
    for child in ast.walk(node):
        if isinstance(child, ast.Constant):
            values = found.get(type(child.value).__name__)
            if values is not None and child.value not in values and child.value != doc and len(repr(child.value)) < 40:
                values.append(child.value)
    found["str"] = [value for value in found["str"] if value]
    return found


def _arguments(call: str, entry: str) -> Optional[ast.Call]:
    """The call of the entry in an expression: the expression itself, or what drives it is around it."""
    try:
        tree = expression(call)
    except UNPARSABLE:
        return None
    text = Text(call)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in calls:
        if text.segment(node.func) == entry:
            return node
    return None


def _values(node: ast.expr) -> List[ast.expr]:
    """The constants and containers in an argument."""
    found = []  # type: List[ast.expr]
    stack = [node]  # type: List[ast.AST]
    while stack:
        one = stack.pop()
        if isinstance(one, (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp)):
            found.append(one)
        if isinstance(one, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.Call)):
            if isinstance(one, ast.Call) and "__import__" in ast.dump(one.func):
                stack.extend(one.args)  # what it names stays
                continue
            stack.extend(child for child in ast.iter_child_nodes(one) if isinstance(child, ast.expr))
    return found


def _spliced(call: str, node: ast.expr, new: str) -> str:
    """The call with a node's text replaced. A tuple's own parentheses are part of it in every version that is supported."""
    lines = [line.encode("utf-8") for line in call.split("\n")]
    before = lines[:node.lineno - 1] + [lines[node.lineno - 1][:node.col_offset]]
    after = [lines[node.end_lineno - 1][node.end_col_offset:]] + lines[node.end_lineno:]  # type: ignore[index,operator]
    return (b"\n".join(before) + new.encode("utf-8") + b"\n".join(after)).decode("utf-8")


def _parses(call: str) -> bool:
    try:
        expression(call)
    except UNPARSABLE:
        return False
    return True

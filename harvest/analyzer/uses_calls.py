"""What calls of builtins, of the standard library and of methods tell of their arguments, and what they give."""

import ast
from typing import Any, Dict, List

from analyzer.evidence import IMPOSSIBLE, ITERABLE, NUMBER, Node
from analyzer.known_calls import FUNCTIONS, INT, METHODS, RESULTS, STR, TAKEN

_SIZED = {"list": 1.0, "str": 1.0, "dict": 0.6, "tuple": 0.5, "set": 0.3, "bytes": 0.1}
_SORTED = {"int": 1.0, "str": 0.8, "float": 0.5, "tuple": 0.2}
_NUMERIC_TEXT = ("'12'", "'-7'", "'0'")


def method(body: Any, function: ast.Attribute, node: ast.Call) -> Node:
    """A call of a method of a value."""
    of = body.value(function.value)
    name = function.attr
    arguments = body._arguments(node)
    if not of.has(name):
        field = of.field(name)
        field.only({"callable": 1.0})
        return field.part("result")
    weights = of.weights(3)
    kind = max((k for k in METHODS if name in METHODS[k]), key=lambda k: weights.get(k, 0.0), default="")
    if kind == "str" and hasattr(bytes, name) and any(argument.known("bytes") for argument in arguments):
        kind = "bytes"
        of.only({"bytes": 1.0}, IMPOSSIBLE)
        weights = of.weights(3)
    certain = weights.get(kind, 0.0) > 0.5
    for argument, takes in zip(arguments, METHODS.get(kind, {}).get(name, []) if certain else []):
        _given(of, kind, argument, takes)
    if not certain and name in ("count", "index", "remove") and arguments:
        arguments[0].likely({"str": 1.5, "int": 1.5})
    if kind == "str" and name == "encode" and arguments:
        for text in ("'utf-8'", "'ascii'"):
            arguments[0].text(text)
    if kind == "str" and name in ("find", "index", "count", "split", "startswith", "endswith", "replace", "strip", "partition", "rsplit", "rindex", "rfind"):
        for argument in arguments:
            for text in argument.root()._texts[:4]:
                of.text(text)
    return _result(of, name, weights)


def _given(of: Node, kind: str, argument: Node, takes: str) -> None:
    if takes == "self":
        argument.only({kind: 1.0, "tuple": 0.02})
    elif takes == "char":
        argument.only(STR)
        argument.size(1)
    elif takes in ("item", "key", "value"):
        if takes == "item":
            of.part("iter").merge(argument)
        else:
            of.part(takes).merge(argument)
    elif takes == "like":
        argument.only(ITERABLE)
        argument.likely({kind: 2.0, "str": 0.3})
        argument.root()._parts.setdefault("iter", of.part("iter"))
    elif takes == "strings":
        argument.only(ITERABLE)
        argument.part("iter").only(STR)
    elif takes in TAKEN:
        argument.only(TAKEN[takes])


def _result(of: Node, name: str, weights: Dict[str, float]) -> Node:
    if name in ("items",):
        made, pair = Node(list=1.0), Node(tuple=1.0)
        pair.part("unpacked")
        pair.root()._parts["at0"], pair.root()._parts["at1"] = of.part("key"), of.part("value")
        made.root()._parts["iter"] = pair
        return made
    if name in ("keys", "values"):
        made = Node(list=1.0)
        made.root()._parts["iter"] = of.part("key" if name == "keys" else "value")
        return made
    if name in ("get", "setdefault") or name == "pop" and weights.get("dict", 0.0) > 0.5:
        return of.part("value")
    if name in ("pop", "popleft"):
        return of.part("iter")
    if name == "copy":
        return of
    if name in RESULTS:
        made = Node(**{RESULTS[name]: 1.0})
        if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
            made.part("iter").only({"bytes" if weights.get("bytes", 0.0) > 0.5 else "str": 1.0})
        return made
    if hasattr(str, name) and weights.get("str", 0.0) > 0.4:
        return Node(bool=1.0) if name.startswith("is") else of  # what is looked for in the result comes from the text
    return Node()


def builtin(body: Any, name: str, node: ast.Call) -> Node:
    """A call of a builtin or of a function of the standard library, by its full name."""
    special = _SPECIAL.get(name)
    if name == "isinstance" and len(node.args) == 2:
        body.value(node.args[0]).likely({kind: 30.0 for kind in _types(node.args[1])})
        return Node(bool=1.0)
    arguments = body._arguments(node)
    if special is not None and arguments:
        return special(body, node, arguments)
    if name.startswith("math."):
        for argument in arguments:
            argument.only(INT if name in ("math.gcd", "math.factorial", "math.comb", "math.lcm", "math.isqrt") else NUMBER)
        return Node(int=1.0, float=0.9)
    of, _, attribute = name.rpartition(".")
    if of in ("str", "bytes", "list", "dict", "set") and arguments and name not in FUNCTIONS:
        arguments[0].only({of: 1.0})  # a method, called by its type
        return Node(bool=1.0) if attribute.startswith("is") else Node()
    if name == "str":
        return _text(arguments)
    takes, gives = FUNCTIONS.get(name, ([], ""))
    for argument, kind in zip(arguments, takes):
        if kind in TAKEN:
            argument.only(TAKEN[kind])
        if kind == "json":
            for text in ("'{\"a\": [1, 2]}'", "'[1, null]'"):
                argument.text(text)
        if kind == "numbers":
            argument.part("iter").only(NUMBER)
    result = Node(**{gives: 1.0}) if gives else Node()
    if name == "range" or name.startswith("random.sample"):
        result.part("iter").only(INT)
    if name in ("re.findall", "re.split", "textwrap.wrap"):
        result.part("iter").only(STR)
    if name in ("itertools.permutations", "itertools.combinations", "itertools.chain", "itertools.islice", "collections.deque") and arguments:
        if name in ("collections.deque", "itertools.islice", "itertools.chain"):
            result.root()._parts["iter"] = arguments[0].part("iter")
    if name in ("copy.copy", "copy.deepcopy") and arguments:
        return arguments[0]
    return result


def _text(arguments: List[Node]) -> Node:
    """str(n) of a number: what it is compared with, or a key of, are digits."""
    made = Node(str=1.0)
    if arguments and arguments[0].known("int"):
        for text in ("'0'", "'1'", "'2'"):
            made.text(text)
    return made


def _types(node: ast.AST) -> List[str]:
    names = [child.id for child in ast.walk(node) if isinstance(child, ast.Name)]
    return [name for name in names if name in ("str", "int", "float", "list", "tuple", "dict", "set", "bytes", "bool", "complex")]


def _len(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    arguments[0].only(_SIZED)
    length = arguments[0].part("len")
    length.only(INT)
    return length


def _int(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    arguments[0].only({"str": 1.0, "int": 0.6, "float": 0.6, "bool": 0.2})
    for text in _NUMERIC_TEXT:
        arguments[0].text(text)
    if len(arguments) > 1:
        arguments[0].only(STR)
        arguments[1].only(INT)
    return Node(int=1.0)


def _float(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    arguments[0].only({"str": 0.6, "int": 1.0, "float": 1.0})
    arguments[0].text("'2.5'")
    return Node(float=1.0)


def _ord(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    arguments[0].only(STR)
    arguments[0].size(1)
    return Node(int=1.0)


def _sum(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    item = body.iterated(arguments[0])
    item.only(dict(NUMBER, bool=0.3))
    return Node(int=1.0, float=0.8)


def _extreme(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    if len(arguments) == 1 and not isinstance(node.args[0], ast.Starred):
        item = body.iterated(arguments[0])
        item.only(_SORTED, 0.2)
        arguments[0].size(3)
        return item
    for argument in arguments:
        argument.only(_SORTED, 0.2)
    for argument in arguments[1:]:
        arguments[0].likely(argument.root()._factors)
    return arguments[0]


def _sorted(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    item = body.iterated(arguments[0])
    made = Node(list=1.0)
    made.root()._parts["iter"] = item
    for keyword in node.keywords:
        if keyword.arg == "key" and isinstance(keyword.value, ast.Lambda):
            body.value(keyword.value).part("arg0").merge(item)
            return made
    if not node.keywords:
        item.only(_SORTED, 0.3)
    return made


def _listed(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    made = Node(list=1.0)
    made.root()._parts["iter"] = body.iterated(arguments[0])
    return made


def _set(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    item = body.iterated(arguments[0])
    item.only({"str": 1.0, "int": 1.0, "tuple": 0.4, "float": 0.4, "bool": 0.1}, 0.1)
    made = Node(set=1.0)
    made.root()._parts["iter"] = item
    return made


def _dict(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    arguments[0].only({"dict": 1.0, "list": 0.4})
    pair = arguments[0].part("iter")
    pair.likely({"tuple": 3.0})
    pair.part("unpacked")
    pair.part("at1")
    return Node(dict=1.0)


def _enumerate(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    return _rows([Node(int=1.0), body.iterated(arguments[0])])


def _zip(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return Node(list=1.0)
    return _rows([body.iterated(argument) for argument in arguments])


def _rows(places: List[Node]) -> Node:
    made, row = Node(list=1.0), Node(tuple=1.0)
    row.part("unpacked")
    for n, place in enumerate(places):
        row.root()._parts["at%d" % n] = place
    made.root()._parts["iter"] = row
    return made


def _map(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    made = Node(list=1.0)
    function = node.args[0]
    for argument in arguments[1:]:
        item = body.iterated(argument)
        if isinstance(function, ast.Name) and function.id in ("int", "float", "len", "ord"):
            given = {"int": _int, "float": _float, "len": _len, "ord": _ord}[function.id](body, node, [item])
            made.root()._parts["iter"] = given
        else:
            arguments[0].only({"callable": 1.0})
            arguments[0].part("arg0").merge(item)
            made.root()._parts["iter"] = arguments[0].part("result")
    return made


def _filter(body: Any, node: ast.Call, arguments: List[Node]) -> Node:
    made = Node(list=1.0)
    if len(arguments) > 1:
        item = body.iterated(arguments[1])
        if not isinstance(node.args[0], ast.Constant):
            arguments[0].only({"callable": 1.0})
            arguments[0].part("arg0").merge(item)
        made.root()._parts["iter"] = item
    return made


_SPECIAL = {
    "len": _len, "int": _int, "float": _float, "ord": _ord, "sum": _sum, "min": _extreme, "max": _extreme, "sorted": _sorted,
    "list": _listed, "tuple": _listed, "reversed": _listed, "set": _set, "frozenset": _set, "dict": _dict, "enumerate": _enumerate,
    "zip": _zip, "map": _map, "filter": _filter, "collections.Counter": _set,
}  # type: Dict[str, Any]

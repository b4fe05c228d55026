"""What expressions tell of the values in them."""

import ast
from typing import Any, Dict, List, Optional

from analyzer.annotations import instance
from analyzer.evidence import HASHABLE, IMPOSSIBLE, ITERABLE, NUMBER, SEQUENCE, Node
from analyzer.signatures import Parameter, parameters_of
from analyzer.uses_calls import builtin, method

_ARITHMETIC = {"int": 1.0, "float": 0.8, "bool": 0.1, "complex": 0.05}
_INTEGERS = {"int": 1.0, "bool": 0.1}
_ORDERED = {"int": 1.0, "float": 0.8, "str": 0.6, "tuple": 0.3, "list": 0.3, "bytes": 0.05}
STORED = {"list": 1.0, "dict": 0.8}  # what items are assigned in

Scope = Dict[str, Node]


class Expressions:
    """Reads expressions in a scope: `uses.of` knows the functions of the module, `module` what else is around."""

    def __init__(self, uses: Any, scope: Scope) -> None:
        self.uses = uses
        self.module = uses.module
        self.scope = scope

    def bind(self, target: Any, value: Node) -> None:
        if isinstance(target, ast.Name):
            self.scope[target.id] = value
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Node(list=1.0))
        elif isinstance(target, (ast.Tuple, ast.List)):
            starred = any(isinstance(item, ast.Starred) for item in target.elts)
            value.only({"tuple": 1.0, "list": 0.9, "str": 0.05})
            if not starred:
                value.part("unpacked")
            for n, item in enumerate(target.elts):
                self.bind(item, value.part("at%d" % n) if not starred else self.iterated(value))
        elif isinstance(target, ast.Subscript):
            self.value(target.value).only(STORED)
            self.value(loaded(target)).merge(value)
        elif isinstance(target, ast.Attribute):
            self.value(target.value).field(target.attr).merge(value)

    def iterated(self, node: Node) -> Node:
        node.only(ITERABLE)
        return node.part("iter")

    def value(self, node: Any) -> Node:
        reader = getattr(self, "_" + type(node).__name__.lower(), None)
        if reader is not None:
            return reader(node)
        for child in ast.iter_child_nodes(node):
            self._child(child)
        return Node()

    def _name(self, node: ast.Name) -> Node:
        if node.id not in self.scope:
            self.scope[node.id] = fresh = Node()
            constant = self.module.constants.get(node.id)
            if constant is not None:
                return self.value(constant)
            return fresh
        return self.scope[node.id]

    def _constant(self, node: ast.Constant) -> Node:
        known = Node()
        kind = type(node.value).__name__
        if node.value is None:
            known.likely({"none": 4.0})
        elif kind in ("str", "int", "float", "bool", "bytes", "complex"):
            known.only({kind: 1.0, "float": 0.4} if kind == "int" else {kind: 1.0}, IMPOSSIBLE)
        if kind in ("str", "int", "float", "bytes"):
            known.text(repr(node.value))
        return known

    def _joinedstr(self, node: ast.JoinedStr) -> Node:
        for child in ast.walk(node):
            if isinstance(child, ast.FormattedValue):
                self.value(child.value)
        return Node(str=1.0)

    def _display(self, node: Any, kind: str) -> Node:
        made = Node(**{kind: 1.0})
        for item in node.elts:
            if not isinstance(item, ast.Starred):
                made.part("iter").merge(self.value(item))
            else:
                self.iterated(self.value(item.value))
        return made

    def _list(self, node: ast.List) -> Node:
        return self._display(node, "list")

    def _set(self, node: ast.Set) -> Node:
        return self._display(node, "set")

    def _tuple(self, node: ast.Tuple) -> Node:
        made = Node(tuple=1.0)
        made.part("unpacked")
        for n, item in enumerate(node.elts):
            made.root()._parts["at%d" % n] = self.value(item.value if isinstance(item, ast.Starred) else item)
        return made

    def _dict(self, node: ast.Dict) -> Node:
        made = Node(dict=1.0)
        for key, value in zip(node.keys, node.values):
            if key is None:
                self.value(value).only({"dict": 1.0})
                continue
            made.part("key").merge(self.value(key))
            made.part("value").merge(self.value(value))
        return made

    def _comprehension(self, node: Any, kind: str, *results: Any) -> Node:
        outer, self.scope = self.scope, dict(self.scope)
        for loop in node.generators:
            self.bind(loop.target, self.iterated(self.value(loop.iter)))
            for condition in loop.ifs:
                self.value(condition)
        made = Node(**{kind: 1.0})
        for name, result in results:
            made.root()._parts[name] = self.value(result)
        self.scope = outer
        return made

    def _listcomp(self, node: ast.ListComp) -> Node:
        return self._comprehension(node, "list", ("iter", node.elt))

    def _setcomp(self, node: ast.SetComp) -> Node:
        return self._comprehension(node, "set", ("iter", node.elt))

    def _generatorexp(self, node: ast.GeneratorExp) -> Node:
        return self._comprehension(node, "list", ("iter", node.elt))

    def _dictcomp(self, node: ast.DictComp) -> Node:
        return self._comprehension(node, "dict", ("key", node.key), ("value", node.value))

    def _lambda(self, node: ast.Lambda) -> Node:
        made = Node(callable=1.0)
        names = [argument.arg for argument in node.args.args]
        inner = {name: made.part("arg%d" % n) for n, name in enumerate(names)}
        outer, self.scope = self.scope, dict(self.scope, **inner)
        made.part("result").merge(self.value(node.body))
        self.scope = outer
        return made

    def _ifexp(self, node: ast.IfExp) -> Node:
        self.value(node.test)
        result = self.value(node.body)
        result.merge(self.value(node.orelse))
        return result

    def _boolop(self, node: ast.BoolOp) -> Node:
        values = [self.value(value) for value in node.values]
        return values[-1]

    def _namedexpr(self, node: Any) -> Node:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def _starred(self, node: ast.Starred) -> Node:
        return self.iterated(self.value(node.value))

    def _unaryop(self, node: ast.UnaryOp) -> Node:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return Node(bool=1.0)
        value.only(_INTEGERS if isinstance(node.op, ast.Invert) else NUMBER)
        return value

    def _binop(self, node: ast.BinOp) -> Node:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add):
            same = {"int": 1.0, "float": 0.8, "str": 1.0, "list": 0.8, "tuple": 0.3, "bytes": 0.1}
            left.only(same)
            right.only(same)
            return _alike(left, right)
        if isinstance(node.op, ast.Mod) and left.known("str"):
            return Node(str=1.0)
        if isinstance(node.op, ast.Mult):
            for a, b in ((left, right), (right, left)):
                if a.known("str") or a.known("list"):
                    b.only({"int": 1.0})
                    return a
            for a in (left, right):
                a.only({"int": 1.0, "float": 0.8, "str": 0.15, "list": 0.1, "bool": 0.1})
            return Node(int=1.0, float=0.8, str=0.2, list=0.1)
        if isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            for a in (left, right):
                a.only({"int": 1.0, "set": 0.8, "bool": 0.3, "dict": 0.05})
            return _alike(left, right)
        if isinstance(node.op, (ast.LShift, ast.RShift)):
            left.only(_INTEGERS)
            right.only(_INTEGERS)
            return Node(int=1.0)
        if isinstance(node.op, ast.Sub) and (left.known("set") or right.known("set")):
            return _alike(left, right)
        for a in (left, right):
            a.only(dict(_ARITHMETIC, set=0.2) if isinstance(node.op, ast.Sub) else _ARITHMETIC)
            if isinstance(node.op, (ast.Mod, ast.FloorDiv)):
                a.only({"int": 1.0, "float": 0.3}, 0.2)
        return Node(int=1.0, float=0.8) if not isinstance(node.op, ast.Div) else Node(float=1.0)

    def _compare(self, node: ast.Compare) -> Node:
        values = [self.value(node.left)] + [self.value(value) for value in node.comparators]
        for operator, left, right in zip(node.ops, values, values[1:]):
            if isinstance(operator, (ast.In, ast.NotIn)):
                self._contained(left, right)
            elif isinstance(operator, (ast.Is, ast.IsNot)):
                left.likely({kind: weight for kind, weight in right.root()._factors.items() if kind == "none"})
            else:
                if not isinstance(operator, (ast.Eq, ast.NotEq)):
                    left.only(_ORDERED)
                    right.only(_ORDERED)
                _alike(left, right)
        return Node(bool=1.0)

    def _contained(self, item: Node, container: Node) -> None:
        container.only({"str": 1.0, "list": 1.0, "dict": 1.0, "set": 0.5, "tuple": 0.4, "bytes": 0.05})
        if container.known("str"):
            item.only({"str": 1.0})
            for text in container.root()._texts:
                for character in ast.literal_eval(text)[:6] if text[0] in "'\"" else ():
                    item.text(repr(character))
            return
        if container.known("tuple") and "unpacked" in container.root()._parts:
            for place in container._places():
                item.merge(place)
            return
        if not container.known("list") and not item.known("str") and not container.known("tuple"):
            item.only(HASHABLE, 0.3)
        container.part("iter").merge(item)

    def _subscript(self, node: ast.Subscript) -> Node:
        value, index = self.value(node.value), node.slice
        if type(index).__name__ == "Index":  # before 3.9
            index = index.value  # type: ignore[attr-defined]
        if isinstance(index, ast.Slice):
            value.only(SEQUENCE)
            for bound in (index.lower, index.upper, index.step):
                if bound is not None:
                    self.value(bound).only({"int": 1.0, "none": 0.05})
            return value  # what holds of a part of it holds of all
        constant = index.operand if isinstance(index, ast.UnaryOp) else index
        if isinstance(constant, ast.Constant) and type(constant.value) is int:
            value.only(dict(SEQUENCE, dict=0.1))
            value.size(constant.value + 1)
            return value.part("item")
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
            value.only({"dict": 1.0})
            return value.part("key:" + repr(constant.value))
        key = self.value(index)
        if key.root() is value.part("iter"):
            value.only({"dict": 1.0}, 0.1)  # indexed by its own items
        value.only(dict(SEQUENCE, dict=0.9))
        if key.known("int"):
            value.only(SEQUENCE, 0.2)
        elif key.known("str"):
            value.only({"dict": 1.0})
        if value.known("dict"):
            value.part("key").merge(key)
        elif value.known("list") or value.known("str"):
            key.only({"int": 1.0})
        else:
            key.only({"int": 1.0, "str": 0.4}, 0.1)
        return value.part("item")

    def _attribute(self, node: ast.Attribute) -> Node:
        value = self.value(node.value)
        if not value.has(node.attr):
            return value.field(node.attr)
        return Node()

    def _call(self, node: ast.Call) -> Node:
        function = node.func
        if isinstance(function, ast.Attribute):
            name = self._module_of(function)
            if name:
                return builtin(self, name, node)
            return method(self, function, node)
        if not isinstance(function, ast.Name):
            return self._called(self.value(function), node)
        if function.id in self.scope:
            return self._called(self.scope[function.id], node)
        if function.id in self.module.functions:
            known = self.uses.of(function.id)
            self._pass(parameters_of(self.module.functions[function.id]), known, node)
            return known["return"]
        if function.id in self.module.classes:
            self._arguments(node)
            made = Node()
            made.shaped(instance(self.module, function.id))
            return made
        return builtin(self, self.module.imports.get(function.id, function.id), node)

    def _module_of(self, function: ast.Attribute) -> Optional[str]:
        if isinstance(function.value, ast.Name) and function.value.id not in self.scope:
            of = self.module.imports.get(function.value.id)
            if of is None and function.value.id in ("str", "dict", "list", "set", "int", "bytes"):
                of = function.value.id
            return "%s.%s" % (of, function.attr) if of else None
        return None

    def _called(self, function: Node, node: ast.Call) -> Node:
        function.only({"callable": 1.0})
        for n, argument in enumerate(node.args):
            value = self.value(argument)
            if not isinstance(argument, ast.Starred):
                function.part("arg%d" % n).merge(value)
        for keyword in node.keywords:
            self.value(keyword.value)
        return function.part("result")

    def _pass(self, parameters: List[Parameter], known: Scope, node: ast.Call) -> None:
        places = [parameter for parameter in parameters if parameter.kind == "place"]
        for n, argument in enumerate(node.args):
            value = self.value(argument)
            if n < len(places) and not any(isinstance(a, ast.Starred) for a in node.args[:n + 1]):
                known[places[n].name].merge(value)
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg in known and keyword.arg != "return":
                known[keyword.arg].merge(value)

    def _arguments(self, node: ast.Call) -> List[Node]:
        for keyword in node.keywords:
            self.value(keyword.value)
        return [self.value(argument) for argument in node.args]

    def _await(self, node: ast.Await) -> Node:
        return self.value(node.value)

    def _yield(self, node: ast.Yield) -> Node:
        if node.value is not None:
            self.value(node.value)
        return Node()


def _alike(left: Node, right: Node) -> Node:
    """Two values of one kind. Parts stay apart: that lists are compared does not make their items one."""
    a, b = left.root(), right.root()
    if a is b:
        return a
    factors = dict(a._factors)
    for texts, other in ((list(a._texts), b), (list(b._texts), a)):
        for text in texts:
            other.text(text)
    for sizes, other in ((list(a._sizes), b), (list(b._sizes), a)):
        for size in sizes:
            other.size(size)
    a.likely(b._factors)
    b.likely(factors)
    return a


def loaded(target: Any) -> Any:
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)

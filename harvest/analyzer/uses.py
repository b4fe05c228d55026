"""Reads a function's body for what it does with its parameters."""

import ast
from typing import Any, Dict, List

from analyzer.definitions import DEFINITIONS, FUNCTIONS
from analyzer.evidence import Node
from analyzer.signatures import Parameter, parameters_of
from analyzer.surroundings import Surroundings
from analyzer.uses_expressions import STORED, Expressions, Scope, loaded

_HELPERS = 6  # how deep helpers of the module are followed


class Uses:
    """What is known of the parameters of a module's functions."""

    def __init__(self, module: Surroundings) -> None:
        self.module = module
        self._known = {}  # type: Dict[str, Scope]
        self._depth = 0

    def of(self, name: str) -> Scope:
        """The parameters of a function of the module, by name; "return" is what it gives."""
        return self.of_node(name, self.module.functions[name])

    def of_node(self, key: str, node: Any) -> Scope:
        if key not in self._known:
            found = {parameter.name: _parameter(parameter, self.module) for parameter in parameters_of(node)}
            found["return"] = Node()
            self._known[key] = found
            if self._depth < _HELPERS:
                self._depth += 1
                try:
                    _Body(self, dict(found), found["return"]).run(node.body)
                finally:
                    self._depth -= 1
        return self._known[key]


def _parameter(parameter: Parameter, module: Surroundings) -> Node:
    node = Node()
    shape = parameter.shape(module)
    node.shaped(shape)
    _tell(node, shape.kind)
    if parameter.default is not None:
        _tell(node, _kind_of(parameter.default), 0.2)
    if parameter.kind == "var":
        node.only({"tuple": 1.0})
    if parameter.kind == "keywords":
        node.only({"dict": 1.0})
    parameter.hint(node)
    return node


def _tell(node: Node, kind: str, unlikely: float = 0.01) -> None:
    kind = {"tuples": "tuple", "row": "tuple", "record": "dict"}.get(kind, kind)
    if kind in ("str", "int", "float", "bool", "bytes", "list", "tuple", "dict", "set", "callable", "complex"):
        node.only({kind: 1.0}, unlikely)


def _kind_of(node: ast.AST) -> str:
    if isinstance(node, ast.UnaryOp):
        return _kind_of(node.operand)
    if isinstance(node, ast.Constant):
        return {"NoneType": "", "ellipsis": ""}.get(type(node.value).__name__, type(node.value).__name__)
    return type(node).__name__.lower()


class _Body(Expressions):
    """One pass over statements, in order: a name stands for what was last assigned to it."""

    def __init__(self, uses: Uses, scope: Scope, result: Node) -> None:
        super().__init__(uses, scope)
        self.result = result

    def run(self, statements: List[Any]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: Any) -> None:
        if isinstance(node, FUNCTIONS):
            function = Node(callable=1.0)
            function.origin = node
            self.scope[node.name] = function
            inner = {parameter.name: _parameter(parameter, self.module) for parameter in parameters_of(node)}
            for n, parameter in enumerate(parameters_of(node)):
                function.root()._parts["arg%d" % n] = inner[parameter.name]
            _Body(self.uses, dict(self.scope, **inner), function.part("result")).run(node.body)
        elif isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self.bind(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.bind(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            load = ast.copy_location(loaded(node.target), node)
            result = self.value(ast.copy_location(ast.BinOp(load, node.op, node.value), node))
            if isinstance(node.target, ast.Name):
                self.scope[node.target.id] = result
            elif isinstance(node.target, ast.Subscript):
                self.bind(node.target, result)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.bind(node.target, self.iterated(self.value(node.iter)))
            self.run(node.body + node.orelse)
        elif isinstance(node, ast.Return):
            if node.value is not None:
                self._returned(self.value(node.value).root())
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if isinstance(target, ast.Subscript):
                    self.value(target.value).only(STORED)
                    self.value(loaded(target))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.value(item.context_expr)
                if item.optional_vars is not None:
                    self.bind(item.optional_vars, Node())
            self.run(node.body)
        elif not isinstance(node, DEFINITIONS):
            for child in ast.iter_child_nodes(node):
                self._child(child)

    def _returned(self, value: Node) -> None:
        """Notes what a function gives. Its returned values stay apart: what one is compared with says nothing of the others."""
        self.result.likely(value._factors)
        for name, part in value._parts.items():
            self.result.root()._parts.setdefault(name, part)

    def _child(self, child: Any) -> None:
        if isinstance(child, ast.expr):
            self.value(child)
        elif isinstance(child, ast.stmt):
            self.statement(child)
        elif not isinstance(child, ast.expr_context):
            for inner in ast.iter_child_nodes(child):
                self._child(inner)

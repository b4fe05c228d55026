"""The parameters of a definition, and what a call of it has to give."""

import ast
from typing import Any, List, NamedTuple, Optional

from analyzer import hints
from analyzer.annotations import shape_of
from analyzer.evidence import Node
from analyzer.shapes import Shape
from analyzer.surroundings import Surroundings


class Parameter(NamedTuple):
    name: str
    kind: str  # place, keyword (only), var (*args), keywords (**kwargs)
    annotation: Optional[ast.AST]
    default: Optional[ast.AST]
    doc: str  # of the function

    def shape(self, module: Surroundings) -> Shape:
        """What the annotation says."""
        return shape_of(self.annotation, module)

    def hint(self, node: Node) -> None:
        """What the name and the docstring make likely."""
        hints.name(self.name, node)
        hints.docstring(self.doc, self.name, node)


def parameters_of(node: Any, bound: bool = False) -> List[Parameter]:
    """In the order of the definition; without the first one, where a method's call gives it."""
    arguments = node.args
    doc = ast.get_docstring(node) or "" if not isinstance(node, ast.Lambda) else ""
    placed = list(arguments.posonlyargs) + arguments.args
    defaults = [None] * (len(placed) - len(arguments.defaults)) + arguments.defaults
    found = [Parameter(a.arg, "place", a.annotation, d, doc) for a, d in zip(placed, defaults)][1 if bound else 0:]
    if arguments.vararg is not None:
        found.append(Parameter(arguments.vararg.arg, "var", None, None, doc))
    for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults):
        found.append(Parameter(a.arg, "keyword", a.annotation, d, doc))
    if arguments.kwarg is not None:
        found.append(Parameter(arguments.kwarg.arg, "keywords", None, None, doc))
    return found

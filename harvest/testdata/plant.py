"""Plants copies of functions: reads rows of CruxEval, and writes for each a row {kind, of, code}. It is run by the tests, on CPython 3.9 or later."""

import ast
import json
import sys


class Renamed(ast.NodeTransformer):
    def __init__(self, tree):
        names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self.names = {name: "renamed_%d" % n for n, name in enumerate(sorted(names))}

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.name = self.names.get(node.name, node.name)
        return node

    def visit_Global(self, node):
        node.names = [self.names.get(name, name) for name in node.names]
        return node

    visit_Nonlocal = visit_Global


def reformatted(code):
    return ast.unparse(ast.parse(code)).replace("\n    ", "\n\n    ")


def renamed(code):
    tree = ast.parse(code)
    return ast.unparse(Renamed(tree).visit(tree))


def commented(code):
    tree = ast.parse(code)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.Expr(ast.Constant("Says what it does.")))
            node.returns = ast.Name("object", ast.Load())
    return "".join("# copied\n%s  # as it was\n" % line for line in ast.unparse(ast.fix_missing_locations(tree)).split("\n") if "'''" not in line)


def edited(code):
    """One statement more at the beginning."""
    tree = ast.parse(code)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.parse("started = 0").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def embedded(code):
    """The body inside a longer function."""
    tree = ast.parse(code)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    before = ast.parse("with open('log.txt') as log:\n    for number, line in enumerate(log):\n        print(number, line.rstrip())").body
    function.body = before + function.body
    return ast.unparse(ast.fix_missing_locations(tree))


def shortened(code):
    """Without its shortest statement."""
    tree = ast.parse(code)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    if len(function.body) > 1:
        function.body.remove(min(function.body, key=lambda node: len(ast.dump(node))))
    return ast.unparse(ast.fix_missing_locations(tree))


PLANTERS = [reformatted, renamed, commented, edited, shortened, embedded]

for number, line in enumerate(sys.stdin):
    row = json.loads(line)
    planter = PLANTERS[number % len(PLANTERS)]
    print(json.dumps({"kind": planter.__name__, "of": number, "code": planter(row["code"])}))

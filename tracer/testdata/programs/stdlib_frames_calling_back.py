# tests: pure-Python standard library code between the program's frames: textwrap, json hooks, heapq, ast visitors
import ast
import heapq
import json


class Names(ast.NodeVisitor):
    def __init__(self):
        self.found = []

    def visit_Name(self, node):
        self.found.append(node.id)
        self.generic_visit(node)


def as_pairs(pairs):
    return tuple(key.upper() for key, _ in pairs)


def encode(value):
    if isinstance(value, complex):
        return [value.real, value.imag]
    raise TypeError("not " + type(value).__name__)


def main():
    names = Names()
    names.visit(ast.parse("a + f(b)"))
    hooked = json.loads('{"x": {"y": 1}}', object_pairs_hook=as_pairs)
    text = json.dumps({"z": 1j}, default=encode)
    merged = list(heapq.merge([1, 4], [2, 3], key=lambda n: n))
    return names.found, hooked, text, merged

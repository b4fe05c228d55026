"""Which definitions stand when a module has run; the fixture branches.py has the rest."""

import ast
import contextlib
import io
import os
import sys
import unittest
import warnings
from typing import Any, Dict, List, Tuple

from analyzer.bindings import Bindings
from analyzer.module import Module

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata")
DEFINED = "def f(): return 1\n"


def ran(program: str) -> Dict[str, Any]:
    space = {"__name__": "program"}  # type: Dict[str, Any]
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program, "<program>", "exec"), space)
    return space


def found(program: str) -> Tuple[List[int], List[Tuple[int, str]]]:
    """The lines of the functions, and of the definitions that are none, with the reasons."""
    bindings = Module(program).bindings
    return [node.lineno for node in bindings.functions.values()], [(left.node.lineno, left.reason) for left in bindings.left]


class BindingsTest(unittest.TestCase):
    def test_what_is_found_is_what_running_binds(self) -> None:
        for name in ("files", "slices"):
            with open(os.path.join(FIXTURES, name, "branches.py"), encoding="utf-8") as stream:
                text = stream.read()
            space = ran(text)
            functions = Module(text).functions
            self.assertGreater(len(functions), 2)
            for name, node in functions.items():
                code = getattr(space[name], "__wrapped__", space[name]).__code__
                self.assertEqual(code.co_firstlineno, min([node.lineno] + [d.lineno for d in node.decorator_list]), name)

    def test_branches(self) -> None:
        for text, functions, left in (
            ("if 1:\n  def f(): pass\nelse:\n  def f(): pass\n", [2], [(4, "not_taken")]),
            ("import sys as s\nif s.platform.startswith('no'):\n  def f(): pass\n", [], [(3, "not_taken")]),
            ("import sys\nif sys.version_info[:2] > (3, 0) and unknown:\n  def f(): pass\n", [], [(3, "undecided")]),
            ("import sys\nif sys.version_info.major == 2 and unknown:\n  def f(): pass\n", [], [(3, "not_taken")]),
            ("def f(): pass\nif x():\n  def f(): pass\n", [], [(1, "undecided"), (3, "undecided")]),
            ("if x():\n  def f(): pass\ndef f(): pass\n", [3], [(2, "undecided")]),
            ("def f(): pass\ndef f(): pass\n", [2], [(1, "shadowed")]),
            ("def f(): pass\nimport f\n", [1], []),
            ("def sin(x): pass\nfrom math import *\n", [], [(1, "shadowed")]),
            ("def sin(x): pass\ntry: from math import *\nexcept ImportError: pass\n", [], [(1, "shadowed")]),
            ("from math import *\ndef sin(x): pass\n", [2], []),
            ("def f(): pass\nfrom nowhere import *\n", [1], []),
            ("try: from math import no\nexcept ValueError:\n  def f(): pass\n", [], [(3, "not_taken")]),
            ("try: from math import no\nexcept (E, ImportError):\n  def f(): pass\n", [3], []),
            ("try: from math import no\nexcept E:\n  def f(): pass\nexcept:\n  def g(): pass\n", [], [(3, "undecided"), (5, "undecided")]),
            ("try: from . import no\nexcept ImportError:\n  def f(): pass\n", [3], []),
            ("try: g()\nexcept: pass\nelse:\n  def f(): pass\nfinally:\n  def h(): pass\n", [6], [(4, "undecided")]),
            ("try:\n  raise ValueError\n  def f(): pass\nexcept ValueError:\n  def g(): pass\n", [5], [(3, "not_taken")]),
            ("try:\n  try: import no_such\n  finally: pass\n  def f(): pass\nexcept ImportError:\n  def g(): pass\n", [6], [(4, "not_taken")]),
            ("import os\ntry: os.no_such\nexcept AttributeError:\n  def f(): pass\n", [4], []),
            ("import os\nif hasattr(os, 'fork'):\n  def f(): pass\nelse:\n  def g(): pass\n", [3], [(5, "not_taken")]),
            ("if hasattr(f, 'x'):\n  def f(): pass\n", [], [(2, "undecided")]),
            ("if (n := 1) and n:\n  def f(): pass\n", [], [(2, "undecided")]),
            ("X = 0\ndef s():\n  global X\n  X = 1\ns()\nif X:\n  def f(): pass\n", [2], [(7, "undecided")]),
            ("try: import json\nexcept ImportError: json = None\nif json is None:\n  def f(): pass\n", [], [(4, "not_taken")]),
            ("with open('x') as y:\n  def f(): pass\n", [2], []),
            ("if __name__ == '__main__':\n  def f(): pass\nelse:\n  def g(): pass\n", [4], []),
            ("import typing as t\nif not t.TYPE_CHECKING:\n  def f(): pass\n", [3], []),
            ("import sys\nif sys.argv:\n  def f(): pass\n", [], [(3, "undecided")]),
            ("if 'a' < 1:\n  def f(): pass\n", [], [(2, "undecided")]),
        ):
            with self.subTest(text=text):
                self.assertEqual(found(text), (functions, left))

    def test_classes(self) -> None:
        text = "if 0:\n  class C:\n    def m(self): pass\nelse:\n  class C:\n    if 1:\n      def m(self): pass\n    class D:\n      def n(self): pass\n"
        module = Module(text)
        self.assertEqual(list(module.classes), ["C", "C.D"])
        self.assertEqual([module.definition(name).lineno for name in ("C.m", "C.D.n")], [7, 9])  # type: ignore[union-attr]
        self.assertIsNone(module.definition("D.n"))

    def test_deep_branches(self) -> None:
        chain = "if a == 0: pass\n" + "".join("elif a == %d: pass\n" % n for n in range(2000)) + "else:\n  def g(): pass\n"
        try:
            tree = ast.parse(chain + DEFINED)
        except (RecursionError, MemoryError):
            self.skipTest("this interpreter does not parse it")
        self.assertEqual(list(Bindings(tree.body).functions), ["f"])


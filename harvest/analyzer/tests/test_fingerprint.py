"""Copies have the fingerprint of what they are copies of, and others have not."""

import textwrap
import unittest
from typing import List, Tuple

from analyzer.fingerprint import Fingerprints, fingerprints
from analyzer.module import Module

ORIGINAL = '''
import math
LIMIT = 3

def helper(x):
    return x * LIMIT

def f(values, start=0):
    """Adds up."""
    total = start
    for value in values:
        if value > 1:
            total += helper(value) + math.sqrt(value)
    return [total for total in range(int(total))]
'''


def fingerprint(text: str, name: str = "f") -> Tuple[str, List[str]]:
    module = Module(text)
    return Fingerprints(module).of(module.functions[name])


class FingerprintTest(unittest.TestCase):
    def test_copies(self) -> None:
        tree, tokens = fingerprint(ORIGINAL)
        for name, text in (
            ("comments", ORIGINAL.replace("total = start", "total = start  # from here\n    # on")),
            ("formatting", ORIGINAL.replace("helper(value) + math.sqrt(value)", "(helper( value )\n   + math.sqrt(value))")),
            ("docstring", ORIGINAL.replace('"""Adds up."""', "'''Something else.'''")),
            ("no docstring", ORIGINAL.replace('    """Adds up."""\n', "")),
            ("annotations", ORIGINAL.replace("values, start=0)", "values: list, start: int = 0) -> list").replace("total = start", "total: int = start")),
            ("variables", ORIGINAL.replace("total", "result").replace("value", "item")),
            ("the helper's name", ORIGINAL.replace("helper", "scaled")),
            ("the constant's name", ORIGINAL.replace("LIMIT", "FACTOR")),
            ("the module's name", ORIGINAL.replace("import math", "import math as m").replace("math.sqrt", "m.sqrt")),
            ("its block", "if 1:\n" + textwrap.indent(ORIGINAL, "  ")),
            ("its place", "x = 1\n" + ORIGINAL + "def g(): return f\n"),
        ):
            with self.subTest(name):
                self.assertEqual(fingerprint(text), (tree, tokens))
        self.assertEqual(fingerprint(ORIGINAL.replace("def f", "def renamed"), "renamed"), (tree, tokens))

    def test_others(self) -> None:
        tree, _ = fingerprint(ORIGINAL)
        for name, text in (
            ("a constant", ORIGINAL.replace("value > 1", "value > 2")),
            ("a constant's type", ORIGINAL.replace("value > 1", "value > 1.0")),
            ("an operator", ORIGINAL.replace("+=", "-=")),
            ("a default", ORIGINAL.replace("start=0", "start=1")),
            ("a builtin", ORIGINAL.replace("int(total)", "len(total)")),
            ("an attribute", ORIGINAL.replace("sqrt", "floor")),
            ("the helper", ORIGINAL.replace("x * LIMIT", "x + LIMIT")),
            ("the helper's constant", ORIGINAL.replace("LIMIT = 3", "LIMIT = 4")),
            ("another module", ORIGINAL.replace("import math", "import cmath as math")),
            ("which variable", ORIGINAL.replace("int(total)", "int(start)")),
            ("a decorator", ORIGINAL.replace("def f", "@math.f\ndef f")),
            ("async", ORIGINAL.replace("def f", "async def f")),
        ):
            with self.subTest(name):
                self.assertNotEqual(fingerprint(text)[0], tree)

    def test_names_of_calls_are_kept(self) -> None:
        self.assertNotEqual(fingerprint("def f(x): return dict(a=x)\n"), fingerprint("def f(x): return dict(b=x)\n"))
        self.assertNotEqual(fingerprint("def f(x): return g(x)\n"), fingerprint("def f(x): return h(x)\n"))

    def test_globals(self) -> None:
        self.assertNotEqual(fingerprint("n = 1\ndef f():\n    global n\n    n = 2\n"), fingerprint("n = 1\ndef f():\n    n = 2\n"))

    def test_recursion(self) -> None:
        one = "def f(n): return n and g(n - 1)\ndef g(n): return n and f(n - 1)\n"
        self.assertEqual(fingerprint(one), fingerprint(one.replace("g(", "other(")))
        self.assertEqual(fingerprint("def f(n): return f(n)\n"), fingerprint("def h(k): return h(k)\n", "h"))

    def test_deep_trees(self) -> None:
        fingerprint("def f(x): return " + "x + " * 400 + "x\n")
        fingerprint("".join("def f%d(): return f%d()\n" % (n, n + 1) for n in range(2000)), "f0")

    def test_tokens_change_only_nearby(self) -> None:
        one, two = fingerprint(ORIGINAL)[1], fingerprint(ORIGINAL.replace("    total = start\n", "    more = 7\n    total = start\n"))[1]
        same = 0
        while one[same] == two[same]:
            same += 1
        self.assertEqual(one[same:], two[same + len(two) - len(one):])

    def test_by_line(self) -> None:
        text = "import m\r\nclass C:\n    @m.d\n    def f(self):\n        def inner(): pass\nif m:\n  def f(x): return x\n"
        method, function = fingerprints(text)["fingerprints"]
        self.assertEqual([(f["start"], f["end"]) for f in (method, function)], [(3, 5), (7, 7)])

    def test_surrogates(self) -> None:
        fingerprint("def f(): return '\\ud800'\n")


if __name__ == "__main__":
    unittest.main()

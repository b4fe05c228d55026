"""Tests of what is taken from a module's test files."""

import base64
import unittest
from typing import List, Optional, Tuple

from analyzer.tests.test_analyzer import analyze

MODULE = """import math
LIMIT = 9
def f(n, k=0): return n + 1
def g(items): return sorted(items)
class C:
    def get(self, n=0): return n
"""

Found = List[Tuple[str, Optional[str]]]


def files(*texts: str, path: str = "src/pkg/tests/test_x.py") -> List[dict]:
    return [{"path": path, "source": base64.b64encode(text.encode("utf-8")).decode("ascii")} for text in texts]


def found(text: str, path: str = "src/pkg/tests/test_x.py", of: str = "src/pkg/x.py", module: str = MODULE) -> Found:
    answer = analyze(module, path=of, test_files=files(text, path=path))
    return [(case["call"], case["expected"]) for case in answer["cases"] if case["generator"] == "test"]


class TestFilesTest(unittest.TestCase):
    maxDiff = None

    def test_imports(self) -> None:
        for text, want in (
            ("from pkg.x import f\nassert f(1) == 2", [("f(1)", "2")]),
            ("from src.pkg.x import f\nassert f(1) == 2", [("f(1)", "2")]),
            ("from pkg.x import f as h\nassert 2 == h(1)", [("f(1)", "2")]),
            ("import pkg.x as x\nassert x.f(1) == 2", [("f(1)", "2")]),
            ("import pkg.x\nassert pkg.x.f(1) == 2", [("f(1)", "2")]),
            ("from pkg import x\nassert x.f(1) == 2", [("f(1)", "2")]),
            ("from pkg import f\nassert f(1) == 2", [("f(1)", "2")]),  # handed on by the package
            ("from ..x import f\nassert f(1) == 2", [("f(1)", "2")]),
            ("from .. import x\nassert x.f(1) == 2", [("f(1)", "2")]),
            ("from pkg.x import *\nassert f(1) == 2", [("f(1)", "2")]),
            ("def test():\n    from pkg.x import f\n    assert f(1) == 2", [("f(1)", "2")]),
            ("from pkg.y import f\nassert f(1) == 2", []),
            ("from .x import f\nassert f(1) == 2", []),
            ("from other.x import f\nassert f(1) == 2", []),
            ("from pkg.x import f\nfrom other import *\nassert f(1) == 2", []),
            ("from pkg.x import g\ndef f(n): return 0\nassert f(1) == 2", []),
            ("from pkg.x import f\nf = twice(f)\nassert f(1) == 2", []),
            ("import pkg.x as x\ndef f(n): return 0\ndef test(x): assert x.f(1) == 2", []),
            ("from pkg.x import C\nassert C().get(4) == 4", [("C().get(4)", "4")]),
            ("from pkg.x import C\ndef test():\n    c = C()\n    assert c.get(4) == 4", [("C().get(4)", "4")]),
        ):
            with self.subTest(text=text):
                self.assertEqual(found(text), want)
        self.assertEqual(found("from pkg import f\nassert f(1) == 2", of="pkg/__init__.py"), [("f(1)", "2")])

    def test_names_of_the_test(self) -> None:
        for text, want in (
            ("N = 30\nassert f(N) == 31", [("f(30)", "31")]),
            ("N = 30\nassert f(k=N, n=1) == 2", [("f(k=30, n=1)", "2")]),
            ("N = -3\nassert f(N ** 2) == 10", [("f((-3) ** 2)", "10")]),
            ("N = 1, 2\nassert g(N) == [1, 2]", [("g((1, 2))", "[1, 2]")]),
            ("WANT = [1, 2]\nassert g((2, 1)) == WANT", [("g((2, 1))", "[1, 2]")]),
            ("N = [2, 1]\nN.append(3)\nassert g(N) == [1, 2, 3]", []),
            ("N = 1\nN += 1\nassert f(N) == 3", []),
            ("N = 1\ndef test(N):\n    assert f(N) == 3", []),
            ("n = 1\nassert [f(n) for n in (1, 2)] == [2, 3]", []),
            ("def test():\n    n = 4\n    result = f(n)\n    assert result == 5", [("f(4)", "5")]),
            ("def test():\n    result = g([2])\n    result.append(3)\n    assert result == [2, 3]", []),
            ("def test():\n    for n in (1, 2):\n        assert f(n)", []),
            ("import math\nassert f(math.floor(2.5)) == 3", [("f(math.floor(2.5))", "3")]),
            ("import fractions as math\nassert f(math.floor(2.5)) == 3", []),
            ("from pkg.x import LIMIT\nassert f(LIMIT) == 10", [("f(LIMIT)", "10")]),
            ("def helper(): return 1\nassert f(helper()) == 2", []),
            ("N = 'ä'\nassert 'ß' and f(N)", [("f('ä')", None)]),
        ):
            with self.subTest(text=text):
                self.assertEqual(found("from pkg.x import f, g\n" + text), want)

    def test_unittest_and_pytest(self) -> None:
        self.assertEqual(
            found(
                "import unittest, pytest\nfrom pkg.x import f\n"
                "class T(unittest.TestCase):\n    def test(self):\n        '''Doc.\n\nMore.'''\n        self.assertEqual(f(30), 31)\n        self.assertEqual(32, f(31))\n"
                "@pytest.mark.parametrize('n, want', [(1, 2), pytest.param(-3, -2, id='x'), (object(), 1), 5])\ndef test_rows(n, want):\n    assert f(n) == want\n"
                "@pytest.mark.parametrize(['n'], [(7,)])\ndef test_row(n): assert f(n) == 8\n"
                "@pytest.mark.parametrize('n', [9])\ndef test_one(n): assert f(n) == 10\n"
                "@pytest.mark.parametrize('n', [1])\n@pytest.mark.parametrize('k', [1])\ndef test_two(n, k): assert f(n, k) == 2\n"
            ),
            [("f(1)", "2"), ("f(-3)", "-2"), ("f(7)", "8"), ("f(9)", "10"), ("f(30)", "31"), ("f(31)", "32")],
        )

    def test_broken_files_cost_themselves(self) -> None:
        answer = analyze(MODULE + "assert f(0) == 1\n", path="src/pkg/x.py", test_files=files(
            "def (", "\0", "# coding: nonesuch\n", "x = " + "-" * 100000 + "1", "import other\n", "from pkg.x import f\nassert f(1) == 2\n"))
        self.assertEqual([case["call"] for case in answer["cases"]], ["f(0)", "f(1)"])
        self.assertEqual(answer["test_facts"], {"broken": 4, "other": 1, "read": 1})

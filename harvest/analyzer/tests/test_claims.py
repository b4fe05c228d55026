"""Tests of what is read from the tests of a data set, and of the names that a site imports."""

import unittest
from typing import List, Optional, Tuple

from analyzer import claims, leetcode
from analyzer.cases import Cases
from analyzer.module import Module
from analyzer.units import Units

PROGRAM = "import math\n\ndef helper(x):\n    return x\n\ndef f(*a):\n    return a\n"


def found(test: str, program: str = PROGRAM, entry: str = "f") -> Tuple[List[Tuple[str, Optional[str]]], List[str]]:
    units = Units(Module(program))
    cases = Cases(program, units)
    unit = units.entry(entry)
    assert unit is not None
    cases.claimed(unit, test)
    cases.only(unit.qualname)
    return [(case.call, case.expected) for case in cases.found], [drop.reason for drop in cases.drops]


class ClaimsTest(unittest.TestCase):
    def test_calls(self) -> None:
        for test, wanted in [
            ("assert f(1) == 2", ([("f(1)", "2")], [])),
            ("assert 2 == f(1), 'why'", ([("f(1)", "2")], [])),
            ("assert set(f(1)) == set((1,))", ([("set(f(1))", None)], [])),
            ("assert math.isclose(f(1.5)[0], 1.5)", ([("f(1.5)", None)], [])),
            ("assert f(helper(1)) == (1,)", ([("f(helper(1))", "(1,)")], [])),
            ("assert f('\u00e9', 1) == ('\u00e9', 1)", ([("f('\u00e9', 1)", "('\u00e9', 1)")], [])),
            ("import math\nassert f(math.pi)", ([("f(math.pi)", None)], [])),
            ("import numpy\nassert f(numpy.array([1]))", ([], ["local_names"])),
            ("x = 1\r\nassert f(x) == x\r\nassert f(2) == (2,)", ([("f(2)", "(2,)")], ["local_names"])),
            ("def check(candidate):\n    assert candidate(1) == candidate(1)\n", ([("f(1)", None)], ["duplicate_case"])),
            ("def check(candidate):\n    for i in range(3):\n        assert candidate(i) == (i,)\n", ([], ["local_names"])),
            ("def check(candidate):\n    assert '\u00e9' and candidate(candidate(1)) == 3\n", ([("f(f(1))", None), ("f(1)", None)], [])),
            ("assert f(1", ([], ["bad_test"])),
            ("assert f('\ud800')", ([], ["bad_test"])),
            ("assert True", ([], [])),
        ]:
            with self.subTest(test):
                self.assertEqual(found(test), wanted)

    def test_tables(self) -> None:
        test = "def check(candidate):\n    inputs = [[1, (2,)], [], [{3}]]\n    results = [(1, (2,)), (), np.array(3)]\n"
        self.assertEqual(found(test), ([("f(1, (2,))", "(1, (2,))"), ("f()", "()"), ("f({3})", None)], []))
        self.assertEqual(found("inputs = [1, 2]\nresults = [1, 2]\n"), ([], []))
        self.assertEqual(found("inputs = [[1], [2]]\nresults = [1]\n"), ([("f(1)", None), ("f(2)", None)], []))

    def test_method(self) -> None:
        program = "class Solution:\n    def f(self, x):\n        return x\n"
        got = found("def check(candidate):\n    assert candidate(1) == 1\n", program, "Solution().f")
        self.assertEqual(got, ([("Solution().f(1)", "1")], []))

    def test_entry(self) -> None:
        module = Module(PROGRAM)
        self.assertEqual(claims.entry_of(["assert f(helper(1)) == 1", "assert set(f(2))"], module), "f")
        self.assertEqual(claims.entry_of(["assert helper(1)", "assert f(1)", "assert f("], module), "helper")
        self.assertIsNone(claims.entry_of(["assert g(1)", "f(1)"], module))


class ImportsTest(unittest.TestCase):
    def test_names(self) -> None:
        for program, wanted in [
            ("def f(x: List[int]): return x\n", "from typing import List\ndef f(x: List[int]): return x\n"),
            ('"""Doc\n"""\nfrom __future__ import annotations\nx = deque([math.pi])', '"""Doc\n"""\nfrom __future__ import annotations\nimport math\n'
             "from collections import deque\nx = deque([math.pi])"),
            ("from typing import *\nx = List\n", None),
            ("def f(gcd): return gcd\n", None),
            ("def f():\n    import math\n    return math.pi\n", None),
            ("x = [count for count in range(3)]\n", None),
            ("x = 1\n", None),
        ]:
            with self.subTest(program):
                self.assertEqual(leetcode.with_imports(program), program if wanted is None else wanted)
                compile(leetcode.with_imports(program), "x", "exec")


if __name__ == "__main__":
    unittest.main()

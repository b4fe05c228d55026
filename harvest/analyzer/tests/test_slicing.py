"""Slices run as the modules that they are cut from."""

import ast
import contextlib
import io
import json
import os
import struct
import subprocess
import sys
import unittest
import warnings
from typing import Any, Dict, List

from analyzer import requests, slicing
from analyzer.definitions import first_line
from analyzer.module import Module

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "slices")


def analyze(text: str, **head: Any) -> Dict[str, Any]:
    packed = json.dumps(dict(head, text=True, max_bytes=1 << 16, slice="minimal")).encode()
    return json.loads(requests.answer(struct.pack("<I", len(packed)) + packed + text.encode("utf-8")).decode("utf-8"))


def kept(text: str, name: str = "f") -> List[str]:
    """The first lines of the statements of a slice."""
    module = Module(text)
    slicer = slicing.Slicer(text, module)
    cut = slicing.program(text, slicer.cut(slicer.reach(first_line(module.functions[name]), {name})))
    return [cut.split("\n")[first_line(node) - 1] for node in ast.parse(cut).body]


def outcome(program: str, call: str) -> str:
    """What a call gives in an interpreter of its own: a module may change its process."""
    script = (
        "import sys, contextlib, io\nprogram, call = sys.argv[1:]\nspace = {'__name__': 'program'}\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n    exec(compile(program, '<program>', 'exec'), space)\n"
        "print(eval(call, space))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, program, call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    return done.stdout or done.stderr


class SlicingTest(unittest.TestCase):
    def test_slices_run_as_their_modules(self) -> None:
        for name in sorted(os.listdir(FIXTURES)):
            with open(os.path.join(FIXTURES, name), encoding="utf-8") as stream:
                text = stream.read()
            found = analyze(text)
            cuts = {f["name"]: f["slice"] for f in found["functions"]}
            self.assertGreater(len(found["cases"]), 0)
            for case in found["cases"]:
                with self.subTest(file=name, call=case["call"]):
                    cut = slicing.program(text, cuts[case["function"]])
                    self.assertEqual(outcome(cut, case["call"]), outcome(text, case["call"]), cut)

    def test_what_is_kept(self) -> None:
        for text, want in (
            ("import a\nimport b\ndef f(): return a.x\n", ["import a", "def f(): return a.x"]),
            ("a = 1; b = 2\nc = 3\ndef f(): return b\n", ["a = 1; b = 2", "a = 1; b = 2", "def f(): return b"]),
            ("T = []\nT.append(1)\ndef f(): return T\n", ["T = []", "T.append(1)", "def f(): return T"]),
            ("T = []\nU = []\nU.append(1)\ndef f(): return T\n", ["T = []", "def f(): return T"]),
            ("T = []\nU = [T]\nU[0].append(1)\ndef f(): return T\n", ["T = []", "U = [T]", "U[0].append(1)", "def f(): return T"]),
            ("C = 1\nprint(C)\ndef f(): return C\n", ["C = 1", "def f(): return C"]),
            ("import os\nos.environ['X'] = '1'\ndef f(): pass\n", ["import os", "os.environ['X'] = '1'", "def f(): pass"]),
            ("def f(): return f.n\nf.n = 1\n", ["def f(): return f.n", "f.n = 1"]),
            ("def f(): pass\ndef f(): pass\n", ["def f(): pass", "def f(): pass"]),
            ("C = 1\nclass A:\n    C = C\nclass B: pass\ndef f(): return A\n", ["C = 1", "class A:", "def f(): return A"]),
            ("def g(): pass\ndef f(g): return g\n", ["def f(g): return g"]),
            ("import a.b\nimport a.c\nimport d\ndef f(): return a.b\n", ["import a.b", "import a.c", "def f(): return a.b"]),
            ("x = 1\ndef f(): return [x for x in ()]\n", ["def f(): return [x for x in ()]"]),
            ("x = 1\ny = 2\ndel y\ndef f(): return y\n", ["y = 2", "del y", "def f(): return y"]),
            ("x = 1\ndef f(): exec('x')\n", ["x = 1", "def f(): exec('x')"]),
            ("class C:\n    n = 0\nc = C()\nC.n = 2\ndef f(): return C.n\n", ["class C:", "c = C()", "C.n = 2", "def f(): return C.n"]),
            ("A = B = []\nB.append(1)\ndef f(): return A\n", ["A = B = []", "B.append(1)", "def f(): return A"]),
            ("globals()['X'] = 1\ny = 2\ndef f(): return X\n", ["globals()['X'] = 1", "y = 2", "def f(): return X"]),
            ("__all__ = [n for n in globals()]\ny = 2\ndef f(): return y\n", ["y = 2", "def f(): return y"]),
            ("'''Doc.'''\nx = 1\ndef f(): return __doc__\n", ["'''Doc.'''", "def f(): return __doc__"]),
            ("import sys\nOLD = sys.version_info[0] < 3\nx = [OLD]\nx.sort()\ndef f(): return OLD\n", ["import sys", "OLD = sys.version_info[0] < 3", "def f(): return OLD"]),
            ("import a\ntry: import b\nexcept ImportError:\n    def f(): return a\nx = 1\n", ["import a", "try: import b"]),
            ("T = []\nT.append(1)\ndef f(n): return n + T[0]\nassert f(25) == 26\n", ["T = []", "T.append(1)", "def f(n): return n + T[0]"]),
            ("T = []\nT.append(1)\ndef g(n): return sorted(T)[n]\ndef f(n):\n    out = []\n    out.append(g(n))\n    n -= 1\n    return out\nassert f(0) == [1], 'f'\n", ["T = []", "T.append(1)", "def g(n): return sorted(T)[n]", "def f(n):"]),
            ("T = []\ndef f(n):\n    T.append(n)\n    return T\nassert f(1) == [1]\n", ["T = []", "def f(n):", "assert f(1) == [1]"]),
            ("T = []\ndef f(n):\n    t = T\n    t += [n]\n    return T\nassert f(1)\n", ["T = []", "def f(n):", "assert f(1)"]),
            ("T = []\nT.append([])\ndef f(n):\n    for t in T: t.append(n)\n    return T\nassert f(1)\n", ["T = []", "T.append([])", "def f(n):", "assert f(1)"]),
            ("T = iter('ab')\ndef f(): return sum(T)\nassert f()\n", ["T = iter('ab')", "def f(): return sum(T)", "assert f()"]),
            ("import collections\nT = collections.defaultdict(list)\ndef f(n): return T[n]\nassert f(1) == []\n", ["import collections", "T = collections.defaultdict(list)", "def f(n): return T[n]", "assert f(1) == []"]),
            ("N = 0\ndef g():\n    global N\n    N += 1\n    return N\ndef f(): return N\nassert g() == 1\n", ["N = 0", "def g():", "def f(): return N", "assert g() == 1"]),
            ("T = []\nT.append(1)\ndef g(): return T.pop()\ndef f(): return T\nassert len(T) == 1\nassert g() == 1\n", ["T = []", "T.append(1)", "def g(): return T.pop()", "def f(): return T", "assert g() == 1"]),
            ("T = []\nclass C:\n    def __len__(self): return T.append(1) or 1\nT.append(C())\ndef f(): return len(T[0])\nassert f()\n", ["T = []", "class C:", "T.append(C())", "def f(): return len(T[0])", "assert f()"]),
            ("import functools\n@functools.lru_cache(None)\ndef f(n): return n\nassert f(1) == 1\n", ["import functools", "@functools.lru_cache(None)", "assert f(1) == 1"]),
            ("@(\n    lambda f: f\n)\ndef f(): pass\nx = 1\n", ["    lambda f: f"]),
        ):
            with self.subTest(text=text):
                if text.startswith("@(") and sys.version_info < (3, 9):
                    continue
                self.assertEqual(kept(text), want)

    def test_newer_scopes(self) -> None:
        for version, text, want in (
            ((3, 10), "A = 1\nB = 2\ndef f(x):\n    match x:\n        case {'k': A, **B}: return A, B\n", 1),
            ((3, 12), "A = int\nB = 2\ntype X = A\ndef f(x: X): return x\n", 3),
            ((3, 12), "A = int\nB = 2\ndef f[T: A, B](x: T) -> B: return x\n", 2),
            ((3, 12), "A = int\nclass C[T](list[T]):\n    def m[U](self) -> A: return A\ndef f(): return C\n", 3),
        ):
            if sys.version_info >= version:
                with self.subTest(text=text):
                    self.assertEqual(len(kept(text)), want)

    def test_names_that_hang_together_in_too_many_ways(self) -> None:
        for text, want in (
            ("A0 = 1\n" + "".join("A%d = A%d + 1\n" % (i + 1, i) for i in range(3000)) + "def f(): return A10\nx = 1\n", 12),
            ("X = []\n" + "X = g(X)\n" * 3000 + "def f(): return 1\n", 3002),  # more than is followed: the whole
            ("x = 1\n" * 5000 + "def f(): return 1\n", 5001),  # likewise
        ):
            self.assertEqual(len(kept(text)), want)

    def test_a_cut_that_would_not_be_the_same_statements_is_not_made(self) -> None:
        text = "x = 1 \\\n\ny = 2\ndef f(): return x\n"
        self.assertEqual(len(kept(text)), 3)

"""The compiler: what it compiles, what it leaves to children, and that it lives on."""
import os
import sys
import unittest
from typing import List

SHIM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if SHIM not in sys.path:
    sys.path.insert(0, SHIM)

import compiler  # noqa: E402
from client import Client, can_isolate  # noqa: E402

WRAPPER = ("def main():\n    return f()\n", 4, "main")


def compilers(server: int) -> List[int]:
    with open("/proc/%d/task/%d/children" % (server, server)) as f:
        children = [int(pid) for pid in f.read().split()]
    found = []
    for pid in children:
        with open("/proc/%d/comm" % pid) as f:
            if f.read().strip() == compiler.NAME:
                found.append(pid)
    return found


class Answers(unittest.TestCase):
    def test_what_it_leaves_to_children(self) -> None:
        for program, left in ((b"def f(): return 1\n", False), (b"def f(:\n", True), (b"x = '\\d'\n", True), (b"\xff", True),
                              (b"x = " + b"(" * 500 + b")" * 500, True)):
            with self.subTest(program=program[:20]):
                import warnings
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    self.assertEqual([answer == b"" for answer in compiler.answers(program, [WRAPPER])], [left, left])

    def test_a_wrapper_that_does_not_compile(self) -> None:
        answers = compiler.answers(b"def f(): return 1\n", [("f(", 0, ""), WRAPPER])
        self.assertEqual([answer == b"" for answer in answers], [False, True, False])


@unittest.skipUnless(can_isolate(), "needs root, to make namespaces and users")
class Process(unittest.TestCase):
    def test_it_lives_on(self) -> None:
        with Client() as client:
            with open("/proc/%d/task/%d/children" % (client.process.pid, client.process.pid)) as f:
                server = int(f.read())
            seen = set()
            for program in ("def f(): return 1\n", "def f(:\n", "def f(): return '\\d'\n", "def f(): return 2\n"):
                client.run(program, "f()")
                seen.update(compilers(server))
            self.assertEqual(len(seen), 1, seen)
            client.run("import os\ndef f():\n    os.fork()\n    while True: pass\n", "f()")  # it is killed with what that leaves
            self.assertEqual(client.run("def f(): return 3\n", "f()")[0].trace.end["output"], "3")
            self.assertEqual(len(compilers(server) or [0]), 1)


if __name__ == "__main__":
    unittest.main()

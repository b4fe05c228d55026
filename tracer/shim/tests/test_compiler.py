"""The compiler: what it compiles, what it leaves to children, and that it lives on."""
import os
import signal
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


@unittest.skipUnless(os.geteuid() == 0, "needs root, to make it another user")
class Begun(unittest.TestCase):
    def setUp(self) -> None:
        self.compiler = compiler.Compiler(65534, ())
        self.addCleanup(self.compiler.stop)

    def test_what_was_begun_is_what_is_answered(self) -> None:
        plain = compiler.answers(b"def f(): return 1\n", [WRAPPER])
        self.compiler.begin(b"def f(): return 1\n", [WRAPPER])  # nothing: there is no process yet
        code, wrappers = self.compiler.compile(b"def f(): return 1\n", [WRAPPER])
        self.assertEqual([code, *wrappers], plain)
        self.compiler.begin(b"def f(): return 2\n", [WRAPPER])
        second = self.compiler.compile(b"def f(): return 2\n", [WRAPPER])
        self.assertEqual([second[0], *second[1]], compiler.answers(b"def f(): return 2\n", [WRAPPER]))
        self.assertNotEqual(second[0], code)

    def test_its_time_is_its_own(self) -> None:
        """However long it has for a program: what another has to wait for must not change what becomes of this one."""
        self.compiler.compile(b"x = 1\n", [])
        slow = b"x = [" + b"x + 1, " * (compiler.LARGEST // 8) + b"]\n"
        limit, compiler.CPU_TIME = compiler.CPU_TIME, 0.01  # of the next process
        self.addCleanup(setattr, compiler, "CPU_TIME", limit)
        self.compiler.stop()
        self.compiler.compile(b"x = 1\n", [])
        self.compiler.begin(slow, [])
        os.waitid(os.P_PID, self.compiler.pid, os.WEXITED | os.WNOWAIT)
        self.assertEqual(self.compiler.compile(slow, []), (b"", []))
        self.assertNotEqual(self.compiler.compile(b"x = 1\n", [])[0], b"")

    def test_it_is_lost_when_it_has_begun(self) -> None:
        self.compiler.compile(b"x = 1\n", [])
        first = self.compiler.pid
        self.compiler.begin(b"x = 2\n", [WRAPPER])
        os.kill(first, signal.SIGKILL)
        os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
        code, _ = self.compiler.compile(b"x = 2\n", [WRAPPER])
        if code:  # it had answered before it was killed
            self.assertEqual(code, compiler.answers(b"x = 2\n", [])[0])
            code, _ = self.compiler.compile(b"x = 2\n", [WRAPPER])
        self.assertEqual(code, b"")
        code, _ = self.compiler.compile(b"x = 3\n", [WRAPPER])
        self.assertEqual(code, compiler.answers(b"x = 3\n", [])[0])
        self.assertNotIn(self.compiler.pid, (0, first))


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

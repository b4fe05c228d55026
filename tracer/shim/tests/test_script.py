"""Programs that are run as scripts: what they find is what a script finds, and each of several in one process finds it anew."""
import errno
import os
import subprocess
import sys
import tempfile
import unittest
from typing import List
from unittest import mock

from client import Client, can_isolate
from fixture import record
import script

RETURNED, RAISED, SYSTEM_EXIT = 1, 2, 3
TOGETHER, UNTRACED = 4, 1

# Programs that print what they find of their standard input, and texts for it.
PROGRAMS = {
    "lines": ("import sys\nfor line in sys.stdin:\n    print(repr(line))\n", ["1\n2\n", "1\n\n2", "", "\n", "a\r\nb\rc\n"]),
    "input": ("while True:\n    try:\n        print(repr(input('? ')))\n    except EOFError as error:\n        print(error)\n        break\n",
              ["1\n2\n", "x", "", "a\r\n"]),
    "guard": ("def main():\n    n = int(input())\n    print(sum(map(int, input().split())) + n)\nif __name__ == '__main__':\n    main()\n",
              ["1\n2 3\n", "4\n5 6"]),
    "split": ("import sys\nprint(sys.stdin.read().split())\n", ["1 2\n3\n", "", "é \u2028 \U0001F600\n"]),
    "buffer": ("import sys\nprint(sys.stdin.buffer.readline(), sys.stdin.buffer.read())\n", ["é\n\0\n", "\ufeffx"]),
    "readlines": ("import sys\ninput = sys.stdin.readline\nprint([input() for _ in range(3)], sys.stdin.readlines())\n", ["1\n2\n3\n4\n5", "1"]),
    "open": ("print(open(0).read().split())\nprint(open(0).read(), open('/dev/stdin').read())\n", ["1 2\n", ""]),
    "read": ("import os\nprint(os.read(0, 2), os.read(0, 100), os.read(0, 1), os.fstat(0).st_size)\n", ["12345", ""]),
    "what it is": ("import os, stat, sys\ns = sys.stdin\nprint(stat.S_ISREG(os.fstat(0).st_mode), s.isatty(), s.fileno(), s.name, s.mode, s.encoding,"
                   " s.errors, s.line_buffering, s.seekable(), s is sys.__stdin__, s.buffer.raw.name, s.closed, s.newlines)\n", ["1"]),
    "seek": ("import sys\nprint(sys.stdin.read(), sys.stdin.seek(0), sys.stdin.read())\n", ["1\n2"]),
    "mapped": ("import mmap\nprint(mmap.mmap(0, 0, access=mmap.ACCESS_READ)[:])\n", ["abc"]),
    "fileinput": ("import fileinput\nprint([line for line in fileinput.input()])\n", ["a\nb\n"]),
    "replaced": ("import io, sys\nsys.stdin = io.StringIO(sys.stdin.read().upper())\nprint(input())\n", ["ab\n", "cd"]),
    "closed": ("import os, sys\nprint(input())\nsys.stdin.close()\nos.close(0)\n", ["1\n", "2\n"]),
    "module": ("import sys\nprint(__name__, sys.modules['__main__'].__dict__ is globals(), __spec__, __package__, __doc__, sys.argv[1:],"
               " __builtins__ is sys.modules['builtins'], sorted(set(globals()) - {'__annotations__', '__loader__'}))\n", ["", "1"]),
    "pickled": ("import pickle\nclass P:\n    def __init__(self, x):\n        self.x = x\nprint(pickle.loads(pickle.dumps(P(input()))).x, P)\n", ["1", "2"]),
    "left": ("import builtins\nprint(hasattr(builtins, 'mark'), len(builtins.__dict__.get('all_of', [])))\nbuiltins.mark = input()\n", ["1", "2", "3"]),
    "exit functions": ("import atexit, io, os, sys\nout = io.StringIO()\nprint(input(), file=out)\n"
                       "atexit.register(lambda: os.write(1, out.getvalue().encode()))\n", ["1", "2"]),
    "thread": ("import threading\ndef main():\n    print(input())\nthreading.Thread(target=main).start()\n", ["1", "2"]),
    "unflushed": ("import os, sys\nsys.stdout = os.fdopen(1, 'w', closefd=False)\nprint(input())\n", ["1", "2"]),
    "exit": ("print(input())\nexit()\n", ["1", "2"]),
    "quit": ("print(input())\nquit(3)\n", ["1"]),
    "sys.exit": ("import sys\nprint(input())\nsys.exit(0)\n", ["1"]),
    "recursion": ("import sys\nsys.setrecursionlimit(5000)\ndef depth(n):\n    return 0 if n == 0 else 1 + depth(n - 1)\nprint(depth(int(input())))\n",
                  ["500", "3"]),
    "raises": ("print(input())\nraise KeyError(1)\n", ["1", "2"]),
    "comprehension": ("n = 7\nprint([\n    n * 2\n    for n in map(int, input().split())\n], n, [f() for f in [\n    (lambda:\n     n)\n    for n in range(2)\n]])\n",
                      ["1 2"]),
    "too short": ("print(input())\nprint(input())\n", ["1\n"]),
}


def as_python_does(program: str, text: str) -> bytes:
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "program.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write(program)
        with open(os.path.join(home, "input"), "w+b") as given:
            given.write(text.encode())
            given.seek(0)
            return subprocess.run([sys.executable, "-s", "-B", "-X", "utf8", path], stdin=given, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env={"LC_ALL": "C.UTF-8"}).stdout


@unittest.skipUnless(can_isolate(), "needs root and unshare(1): the server runs in a PID namespace of its own only")
class Scripts(unittest.TestCase):
    def test_what_they_find(self) -> None:
        with Client() as client:
            for name, (program, texts) in PROGRAMS.items():
                want = [as_python_does(program, text) for text in texts]
                for mode in (0, TOGETHER, TOGETHER | UNTRACED):
                    with self.subTest(name, mode=mode):
                        results = client.script(program, texts, mode)
                        self.assertEqual([result.stdout for result in results], want, [result.stderr for result in results])
                        for result in results:
                            self.assertIsNotNone(result.trace.end)

    def test_they_share_a_process(self) -> None:
        program = "import os\nwith open('/proc/thread-self/stat') as f:\n    print(f.read().split()[0], input())\n"
        with Client() as client:
            shown = [result.stdout.split() for result in client.script(program, ["a", "b", "c"], TOGETHER)]
        self.assertEqual([word for _, word in shown], [b"a", b"b", b"c"])
        self.assertEqual(len({pid for pid, _ in shown}), 1, "a case left something behind: each had a process of its own")

    def test_a_call_has_no_input(self) -> None:
        with Client() as client:
            client.script("x = input()\n", ["left over"], TOGETHER)
            result = client.run("import sys\ndef f():\n    return sys.stdin.read()\n", "f()")[0]
        self.assertEqual(result.trace.end["output"], "''")


class Ends(unittest.TestCase):
    def test_outcomes(self) -> None:
        for program, text, outcome, kind, message in (
                ("n = int(input())\n", "1", RETURNED, "", ""),
                ("n = int(input())\n", "x", RAISED, "ValueError", "invalid literal for int() with base 10: 'x'"),
                ("n = int(input())\n", "", RAISED, "EOFError", "EOF when reading a line"),
                ("class E(Exception): pass\nraise E(input())\n", "x", RAISED, "E", "x"),
                ("exit()\n", "", SYSTEM_EXIT, "SystemExit", "None"),
                ("import sys\nsys.exit(input())\n", "x", SYSTEM_EXIT, "SystemExit", "x"),
                ("", "x", RETURNED, "", "")):
            for traced in (True, False):
                end = record(program, stdin=text, traced=traced).end
                self.assertEqual((end["outcome"], end["type"], end["message"]), (outcome, kind, message), program)
                self.assertEqual((end["alive"], end["lost"]), (1, 0))

    def test_nothing_runs_before_it_is_traced(self) -> None:
        trace = record("x = 1\ny = input()\n", stdin="a\n")
        names: List[str] = [name for event in trace.events for name, _ in event.changes]
        self.assertEqual(names, ["x", "y"])
        self.assertEqual(trace.name_of(0), "<module>")

    def test_a_file_system_without_files_that_have_no_name(self) -> None:
        def refusing(path: str, flags: int, *mode: int) -> int:
            if flags & os.O_TMPFILE == os.O_TMPFILE:
                raise OSError(errno.EOPNOTSUPP, "not here")
            return os.open(path, flags, *mode)

        here = os.getcwd()
        with tempfile.TemporaryDirectory() as home, mock.patch.object(script, "_open", refusing):
            os.chdir(home)
            try:
                fd = script._unnamed()
                self.assertEqual((os.listdir(home), os.fstat(fd).st_nlink, os.fstat(fd).st_size), ([], 0, 0))
                os.close(fd)
            finally:
                os.chdir(here)


if __name__ == "__main__":
    unittest.main()

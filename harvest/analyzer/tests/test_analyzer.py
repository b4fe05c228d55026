"""Tests of the analyzer's parts that the Go tests cannot reach: its server, and what versions differ in."""

import io
import json
import os
import resource
import signal
import struct
import sys
import time
import unittest
from typing import Any, Dict, List

from analyzer import expressions, module, requests, server, source

LIMITS = server.Limits(cpu_seconds=0, wall_seconds=20, memory_bytes=400 << 20, files=3)


def hostile(request: bytes) -> bytes:
    """Does what a parser might be made to do."""
    if request == b"segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if request == b"exit":
        os._exit(5)
    if request == b"endless":
        while True:
            pass
    if request == b"busy":
        begin = time.process_time()
        while time.process_time() - begin < 0.5:
            pass
    if request == b"hang":
        time.sleep(1000)
    if request == b"slow":
        time.sleep(20 * server.LATE_SECONDS)
    if request == b"memory":
        bytearray(1 << 40)
    if request == b"recursion":
        hostile(request)
    if request == b"noise":
        os.write(1, b"forged")
        os.write(2, b"noise")
    return b"%d %s" % (os.getpid(), request)


class Writes(io.BytesIO):
    """Counts the frames of each write."""

    def __init__(self) -> None:
        super().__init__()
        self.frames = []  # type: List[int]

    def write(self, data: Any) -> int:
        stream = io.BytesIO(data)
        self.frames.append(sum(1 for _ in iter(lambda: server.read_frame(stream), None)))
        return len(data)


def framed(texts: List[bytes]) -> bytes:
    return b"".join(struct.pack("<I", len(text)) + text for text in texts)


def ask(texts: List[bytes], limits: server.Limits = LIMITS) -> List[bytes]:
    answers = io.BytesIO()
    server.serve(io.BytesIO(framed(texts)), answers, hostile, limits)
    answers.seek(0)
    found = []
    while True:
        frame = server.read_frame(answers)
        if frame is None:
            return found
        found.append(frame)


def analyze(text: str, **head: Any) -> Dict[str, Any]:
    packed = json.dumps(dict(head, text=True, max_bytes=1 << 16)).encode()
    return json.loads(requests.answer(struct.pack("<I", len(packed)) + packed + text.encode("utf-8")).decode("utf-8"))


class ServerTest(unittest.TestCase):
    def test_time_is_of_each_file(self) -> None:
        answers = ask([b"busy"] * 4, LIMITS._replace(files=10))
        self.assertEqual(len({answer.split()[0] for answer in answers}), 1, answers)
        self.assertTrue(all(answer.endswith(b" busy") for answer in answers))

    def test_one_bad_file_costs_itself(self) -> None:
        for bad, reason in (
            (b"segfault", "parse_crash"),
            (b"exit", "parse_crash"),
            (b"memory", "parse_crash"),
            (b"recursion", "parse_crash"),
            (b"endless", "parse_timeout"),
        ):
            with self.subTest(bad=bad):
                answers = ask([b"before", bad, b"after"])
                self.assertEqual(len(answers), 3)
                self.assertEqual(json.loads(answers[1].decode())["reason"], reason)
                self.assertTrue(answers[0].endswith(b" before") and answers[2].endswith(b" after"))

    def test_what_a_parser_dies_of_is_asked_with_less(self) -> None:
        answers = io.BytesIO()
        server.serve(io.BytesIO(framed([b"segfault", b"exit", b"after"])), answers, hostile, LIMITS, {b"segfault": b"less"}.get)
        answers.seek(0)
        first, second, third = (server.read_frame(answers) or b"" for _ in range(3))
        self.assertTrue(first.endswith(b" less") and third.endswith(b" after"), (first, third))
        self.assertEqual(json.loads(second.decode())["reason"], "parse_crash")

    def test_a_request_without_its_tests(self) -> None:
        def request(**head: Any) -> bytes:
            packed = json.dumps(dict(head, text=True, max_bytes=1 << 16)).encode()
            return struct.pack("<I", len(packed)) + packed + b"def f(): pass\nf()\n"

        self.assertIsNone(requests.without_tests(request()))
        less = requests.without_tests(request(test_files=[{"path": "test_x.py", "source": ""}])) or b""
        self.assertEqual(json.loads(requests.answer(less).decode())["test_facts"], {"left": 1})
        self.assertIsNone(requests.without_tests(less))

    def test_answers_are_written_together(self) -> None:
        writes = Writes()
        server.serve(io.BytesIO(framed([b"x"] * 50)), writes, hostile, LIMITS._replace(files=100))
        self.assertEqual(sum(writes.frames), 50)
        self.assertLess(len(writes.frames), 50)

    def test_slow_file_holds_up_no_answer(self) -> None:
        writes = Writes()
        server.serve(io.BytesIO(framed([b"before", b"slow"])), writes, hostile, LIMITS)
        self.assertEqual(writes.frames, [1, 1])

    def test_hang_is_ended_from_outside(self) -> None:
        answers = ask([b"hang", b"after"], LIMITS._replace(wall_seconds=1))
        self.assertEqual(json.loads(answers[0].decode())["reason"], "parse_timeout")
        self.assertTrue(answers[1].endswith(b" after"))

    def test_worker_is_shared_and_replaced(self) -> None:
        pids = [answer.split()[0] for answer in ask([b"x"] * 7)]
        self.assertEqual([pids.index(pid) for pid in pids], [0, 0, 0, 3, 3, 3, 6])

    def test_cpu_limit_is_per_file(self) -> None:
        self.assertGreater(resource.getrlimit(resource.RLIMIT_CPU)[0] % (1 << 63), 1000)
        self.assertEqual(len(set(a.split()[0] for a in ask([b"x"] * 50, LIMITS._replace(files=100)))), 1)

    def test_nothing_is_left(self) -> None:
        ask([b"x", b"exit", b"segfault", b"x"])
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_large_frames(self) -> None:
        large = b"y" * (1 << 20)
        self.assertTrue(ask([large])[0].endswith(large))

    def test_output_of_the_parser_is_not_an_answer(self) -> None:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(writer, 1)
            os.dup2(writer, 2)
            frame = struct.pack("<I", 5) + b"noise"
            with os.fdopen(1, "wb", closefd=False) as out:
                server.serve(io.BytesIO(frame), out, hostile, LIMITS)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            said = stream.read()
        os.waitpid(pid, 0)
        self.assertEqual(struct.unpack_from("<I", said)[0], len(said) - 4, said)
        self.assertNotIn(b"forged", said)


class SourceTest(unittest.TestCase):
    def test_newer_syntax_is_told_from_mistakes(self) -> None:
        for version, text in (
            ((3, 9), "@(lambda f: f)\ndef f(): pass\n"),
            ((3, 10), "def f(x):\n    match x:\n        case 1: pass\n"),
            ((3, 11), "def f():\n    try: pass\n    except* E: pass\n"),
            ((3, 12), "type X = int\ndef f(): pass\n"),
            ((3, 12), "def f[T](x: T): pass\n"),
            ((3, 12), "def f(): return f'{'x'}'\n"),
        ):
            with self.subTest(text=text):
                answer = analyze(text, entry="f", inputs=[])
                self.assertEqual(answer.get("reason"), None if sys.version_info >= version else "newer_syntax")

    def test_python2_is_told_from_mistakes(self) -> None:
        for text in ("def f(x):\n    return x +\n", "def f(:\n", "x = (1,\n", "print('a'\n", "def f():\nreturn 1\n", "raise\n  x"):
            with self.subTest(text=text):
                self.assertEqual(analyze(text)["reason"], "syntax_error")
        for text in ("if x: print 'y'\n", "x = 10L\n", "a <> b\n", "exec 'x'\n", "x = ur'y'\n", "def f(a, (b, c)): pass\n"):
            with self.subTest(text=text):
                self.assertEqual(analyze(text)["reason"], "python2")

    def test_lone_surrogates(self) -> None:
        # From 3.13 on, the compiler itself refuses a docstring that holds one.
        answer = analyze('def f(x):\n    """\n    >>> f("\\ud800")\n    >>> f(1)\n    \\ud800"""\n')
        if "reason" in answer:
            self.assertEqual(answer["reason"], "syntax_error")
            return
        self.assertEqual([case["call"] for case in answer["cases"]], ["f(1)"])
        self.assertEqual([drop["reason"] for drop in answer["drops"]], ["bad_doctest"])
        self.assertTrue(answer["functions"][0]["doc"].endswith("\\ud800"))

    def test_skipped_doctests_are_no_cases(self) -> None:
        examples = "    >>> f(1)  # doctest: +SKIP\n    1\n    >>> f(  # doctest: +SKIP\n    >>> f(2)  # doctest: -SKIP, +ELLIPSIS\n    2\n"
        answer = analyze('def f(x):\n    """\n%s    >>> f(3)\n    3\n    """\n    return x\n' % examples)
        self.assertEqual([case["call"] for case in answer["cases"]], ["f(2)", "f(3)"])
        self.assertEqual(answer["drops"], [])

    def test_warnings_stay_inside(self) -> None:
        import warnings

        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            answer = analyze("def f(): return '\\d' is 1\nassert f('\\d') is 1\nassert '\\d' == f()\n")
        self.assertEqual([str(w.message) for w in seen], [])
        self.assertEqual(len(answer["cases"]), 2)

    def test_nothing_is_run(self) -> None:
        answer = analyze("import os\nos._exit(3)\ndef f(x=os._exit(4)): pass\nassert f(os._exit(5))\n")
        self.assertEqual([case["call"] for case in answer["cases"]], ["f(os._exit(5))"])

    def test_decode(self) -> None:
        self.assertEqual(source.decode(b"a\r\nb\rc\n"), "a\nb\nc\n")
        self.assertEqual(source.decode(b"\xef\xbb\xbfx = '\xc3\xa9'"), "x = 'é'")
        with self.assertRaises(source.Rejected):
            source.decode(b"\xef\xbb\xbf# coding: latin-1\n")


class CasesTest(unittest.TestCase):
    def test_free_names(self) -> None:
        for call, names in (
            ("f(1)", {"f"}),
            ("f(x, [x for x in y])", {"f", "x", "y"}),
            ("f([x for x in y if z])", {"f", "y", "z"}),
            ("f(lambda a, *b: (a, b, c))", {"f", "c"}),
            ("f((n := 1), n)", {"f"}),
            ("f(*a, **b)", {"f", "a", "b"}),
            ("f(g.h[i:j])", {"f", "g", "i", "j"}),
            ("f({k: v for k, v in d})", {"f", "d"}),
            ("f(f'{a}')", {"f", "a"}),
        ):
            with self.subTest(call=call):
                self.assertEqual(expressions.free_names(call), names)

    def test_deep_expressions_cost_the_case(self) -> None:
        deep = "1+" * 20000 + "1"
        answer = analyze("def f(x): pass\n", entry="f", inputs=[{"text": deep, "whole": False}, {"text": "1", "whole": False}])
        reason = answer.get("reason")
        if reason is None:
            self.assertIn("f(1)", [case["call"] for case in answer["cases"]])

    def test_bound(self) -> None:
        tree = module.ast.parse(
            "import a.b, c as d\nfrom e import f\nwith x as (g, h): pass\nfor i, [j, *k] in y: l = 1\n"
            "try: pass\nexcept E as m: pass\nn: int = 1\no += 1\n(p := 2)\ndef q(r): s = 1\nclass t: u = 1\n[v for v in w]\n"
        )
        self.assertEqual(module.bound(tree.body), set("adfghijklmnopqt"))

    @unittest.skipIf(sys.version_info < (3, 10), "match is new in 3.10")
    def test_bound_by_match(self) -> None:
        tree = module.ast.parse("match x:\n    case [a, *b]: pass\n    case {'k': c, **d}: pass\n    case E(f=e) as g: pass\n")
        self.assertEqual(module.bound(tree.body), set("abcdeg"))

    def test_segments(self) -> None:
        text = "é = '\u2028'; f('\x0c', é)\n"
        tree = module.ast.parse(text)
        self.assertEqual(module.Text(text).segment(tree.body[1]), "f('\x0c', é)")


if __name__ == "__main__":
    unittest.main()

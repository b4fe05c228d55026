"""What event streams do not show: outcomes, limits, both modes, and how values get their numbers."""
import mmap
import random
import unittest

from fixture import describe, record
from render import make_renderer
from values import FINGERPRINT_NODES, numbering, room_after
from writer import HEADER, SLACK, Writer


class Outcomes(unittest.TestCase):
    def test_outcomes(self) -> None:
        for program, outcome, kind, message in (
                ("def main(): return 1", 1, "", ""),
                ("def main(): raise KeyError('k')", 2, "KeyError", "'k'"),
                ("class E(Exception): pass\ndef main(): raise E(1, 2)", 2, "E", "(1, 2)"),
                ("def main(): raise SystemExit(3)", 3, "SystemExit", "3"),
                ("def main(): return (", 6, "SyntaxError", None),
                ("1 / 0", 6, "ZeroDivisionError", "division by zero"),
                ("raise SystemExit", 6, "SystemExit", "")):
            for traced in (True, False):
                end = record(program, traced=traced).end
                self.assertEqual((end["outcome"], end["type"]), (outcome, kind), program)
                if message is not None:
                    self.assertEqual(end["message"], message)

    def test_untraced_ends_as_traced(self) -> None:
        program = "def main():\n    x = [i for i in range(3)]\n    return x, {1: 'a'}"
        traced, untraced = record(program), record(program, traced=False)
        self.assertEqual(untraced.events, [])
        self.assertEqual(untraced.end["output"], traced.end["output"])
        self.assertEqual(untraced.end["alive"], 1)

    def test_wrapper_has_its_line_and_the_future_of_the_program(self) -> None:
        program = "from __future__ import annotations\ndef f(x: nothing): return x\n"
        trace = record(program, "f(1)", wrap=True)
        self.assertEqual(describe(trace)[:2], ["call        4 wrapper#0 depth=1 back=-1", "line        5 wrapper#0"])
        self.assertEqual(trace.end["output"], "1")

    def test_module_is_known_by_its_name(self) -> None:
        program = ("from dataclasses import dataclass\nimport pickle, sys\n@dataclass\nclass P:\n    x: int\n"
                   "def main(): return pickle.loads(pickle.dumps(P(1))), __name__, sys.modules[__name__].P is P")
        self.assertEqual(record(program).end["output"], "(P(x=1), 'program', True)")

    def test_limits_keep_what_came_before(self) -> None:
        loop = "def main():\n    i = 0\n    while True:\n        i += 1\n"
        trace = record(loop, events=10)
        self.assertEqual((trace.end["outcome"], trace.end["events"], len(trace.events)), (4, 10, 10))
        trace = record(loop, limit=500)
        self.assertEqual(trace.end["outcome"], 5)
        self.assertEqual(trace.end["events"], len(trace.events))
        trace = record("def main(): return 'x' * 1000", limit=300)
        self.assertEqual(trace.end["outcome"], 5)

    def test_a_killed_program_leaves_its_events(self) -> None:
        for end in ("os._exit(0)", "os.kill(os.getpid(), 9)", "os.abort()"):
            trace = record("import os\ndef main():\n    x = 1\n    %s\n" % end)
            self.assertIsNone(trace.end)
            self.assertEqual(len(trace.events), 3)

    def test_recursion_error_is_never_a_complete_trace(self) -> None:
        trace = record("def f(n): return f(n + 1)\ndef main():\n    try: f(0)\n    except RecursionError: x = 1\n    return 2\n")
        self.assertTrue(trace.end is None or trace.end["lost"] or not trace.end["alive"], trace.end)

    def test_a_fork_writes_no_trace(self) -> None:
        trace = record("import os\ndef main():\n    pid = os.fork()\n    x = 1\n    if pid: os.waitpid(pid, 0)\n    return x\n")
        self.assertEqual(trace.end["output"], "1")
        self.assertEqual(len(trace.events), trace.end["events"])


class Numbers(unittest.TestCase):
    def setUp(self) -> None:
        render = make_renderer({})
        self.render = render
        self.rendered = 0

        def counting(value: object) -> tuple:
            self.rendered += 1
            return render(value)

        self.number = numbering(counting, Writer(mmap.mmap(-1, HEADER + SLACK + (8 << 20)), 8 << 20))

    def test_equal_numbers_are_equal_texts(self) -> None:
        rng = random.Random(1)
        leaves = [0, 1, True, False, 1.0, 0.0, -0.0, float("nan"), None, "", "a", b"a", b"", 1j, 2**70, -1]

        def make(depth: int) -> object:
            kind = rng.choice((list, tuple, dict, set, frozenset, None)) if depth else None
            if kind is None:
                return rng.choice(leaves)
            if kind is dict:
                return {rng.choice(leaves): make(depth - 1) for _ in range(rng.randrange(4))}
            if kind in (set, frozenset):
                return kind(rng.choice(leaves) for _ in range(rng.randrange(4)))
            return kind(make(depth - 1) for _ in range(rng.randrange(4)))

        texts = {}
        for _ in range(5000):
            value = make(3)
            number = self.number(value)
            self.assertEqual(texts.setdefault(number, self.render(value)), self.render(value))
        self.assertEqual(len(set(texts.values())), len(texts))

    def test_known_containers_are_not_rendered_again(self) -> None:
        for value in ([1, "a", None], (1.0, [2, {3: b""}]), {"k": [True]}, {1, 2}, frozenset(), list(range(FINGERPRINT_NODES))):
            first = self.number(value)
            before = self.rendered
            self.assertEqual(self.number(value), first)
            self.assertEqual(self.rendered, before)

    def test_what_is_not_walked(self) -> None:
        shared: list = [0]
        for _ in range(60):
            shared = [shared, shared]
        cycle: list = []
        cycle += [cycle, cycle]
        for value in (shared, cycle, list(range(FINGERPRINT_NODES + 1)), [bytearray(b"a")], [object()], [[type]]):
            self.assertEqual(room_after(value, list, FINGERPRINT_NODES), -1)
            self.number(value)


if __name__ == "__main__":
    unittest.main()

"""A trace that is not all that happened must not look whole, and an untraced run must be the same run but for the tracer."""
import sys
import unittest
from typing import Any, Dict

from client import CONFIG, Client, can_isolate
from fixture import record

OUTCOMES = ("output", "type", "message", "arguments")

PUT_BACK = """import sys
def seen(n): return n
def main():
    former = sys.gettrace(); sys.settrace(lambda *_: None); x = seen(1); sys.settrace(former)
    return x
"""
OFF_AND_ON = """import sys
def main():
    frame = sys._getframe()
    former = %s
    %s
    x = 1
    %s
    return x
"""
SWITCHES = (("frame.f_trace", "frame.f_trace = None", "frame.f_trace = former"),
            ("True", "frame.f_trace_lines = False", "frame.f_trace_lines = True"),
            ("frame.f_trace", "setattr(frame, 'f_trace', None)", "setattr(frame, 'f_trace', former)"),
            ("frame.f_trace", "exec('frame.f_trace = None')", "exec('frame.f_trace = former')"))

DEEP = """import sys
def deepest(n):
    try: return deepest(n + 1)
    except BaseException as error:
        if type(error) is not RecursionError: raise
        return n
def main(): return deepest(0)
"""

FROM_BELOW = """import sys
def count(frame):
    n = 0
    while frame is not None:
        n, frame = n + 1, frame.f_back
    return n
def f(): return count(sys._getframe())
"""


class Tracer(unittest.TestCase):
    def test_a_tracer_that_is_put_back(self) -> None:
        self.assertEqual(record(PUT_BACK, pinned=True).end["alive"], 0)
        self.assertEqual(record(PUT_BACK, pinned=True, traced=False).end["output"], "1")

    def test_tracers_of_other_threads(self) -> None:
        program = ("import threading\ndef main():\n    threading.settrace(lambda *_: None)\n"
                   "    t = threading.Thread(target=print)\n    t.start(); t.join()\n    return 1")
        self.assertEqual(record(program, pinned=True).end["alive"], 1)

    @unittest.skipIf(sys.version_info < (3, 12), "settrace_all_threads is of 3.12")
    def test_a_tracer_of_all_threads(self) -> None:
        program = "import threading\ndef main():\n    threading.settrace_all_threads(None)\n    return 1"
        self.assertEqual(record(program, pinned=True).end["alive"], 0)

    def test_frames_that_are_taken_off_and_put_back(self) -> None:
        for switch in SWITCHES:
            self.assertEqual(record(OFF_AND_ON % switch).end["alive"], 0, switch)
        self.assertEqual(record(OFF_AND_ON % ("1", "pass", "pass")).end["alive"], 1)

    def test_what_is_met_in_the_tracer_stays_there(self) -> None:
        for pad in range(12):  # so that the limit is met at another depth of the tracer's
            program = DEEP + "def more(n): return more(n - 1) if n else main()\n"
            end = record(program, "more(%d)" % pad).end
            self.assertIn(end["type"], ("", "RecursionError"), pad)
            self.assertTrue(end["lost"] or not end["alive"], pad)


class Untraced(unittest.TestCase):
    def test_frames_below(self) -> None:
        for wrap in (False, True):
            traced, plain = (record(FROM_BELOW, "f()", wrap=wrap, traced=t).end for t in (True, False))
            self.assertEqual(traced["output"], plain["output"])

    def test_arguments(self) -> None:
        for program, call, told in (
                ("def f(x): x.append(1)", "f([2])", True),
                ("def f(x, *, y=None): x.add(1)", "f({2}, y=bytearray(b'a'))", True),
                ("def f(*a, **k): a[0].append(3); k['b'].clear()", "f([i for i in range(3)], b={1: 2})", True),
                ("class S:\n    def f(self, x): x.sort()", "S().f([2, 1])", True),
                ("from collections import deque\ndef f(x): x.rotate()", "f(deque([1, 2, 3]))", True),
                ("def f(x): x.append(1); raise ValueError", "f([])", True),
                ("def f(x): return [i for i in x]", "f([1, 2])", True),
                ("def f(x): return locals()", "f([1, 2])", True),
                ("def f(x): return lambda: x", "f([1, 2])", True),
                ("def f(x):\n    x.append(1); yield x", "list(f([1, 2]))", True),
                ("def f(x): return x", "f((1, 2))", False),
                ("def f(x): return x", "f([object()])", False),  # its finalizer could run later than it would have
                ("import sys\ndef f(x): return sys.getrefcount(x)", "f([1])", False),
                ("def f(x): return x", "len([1])", False)):
            for wrap in (False, True):
                traced, plain = (record(program, call, wrap=wrap, traced=t).end for t in (True, False))
                self.assertEqual(traced["arguments"], plain["arguments"], program)
                self.assertEqual(bool(traced["arguments"]), told, program)

    def test_arguments_alone_tell(self) -> None:
        program = "import sys\ndef f(x): x.append(sys.gettrace() is None)"
        traced, plain = (record(program, "f([])", traced=t).end for t in (True, False))
        self.assertEqual([traced[key] for key in OUTCOMES[:3]], [plain[key] for key in OUTCOMES[:3]])
        self.assertNotEqual(traced["arguments"], plain["arguments"])

    def test_no_profiler_stays(self) -> None:
        program = "import sys\ndef f(x): return getattr(sys, 'getpro' + 'file')()"  # the name alone would turn it off
        for call in ("f([1])", "[1] + [2] and f([1])"):
            self.assertEqual(record(program, call, traced=False).end["output"], "None", call)


@unittest.skipUnless(can_isolate(), "needs unshare and root")
class Configuration(unittest.TestCase):
    def test_keys(self) -> None:
        def without(config: Dict[str, Any], key: str) -> Dict[str, Any]:
            return {k: v for k, v in config.items() if k != key}

        for wrong in (dict(CONFIG, more=1), without(CONFIG, "seed"), dict(CONFIG, limits=dict(CONFIG["limits"], stack=1)),
                      dict(CONFIG, limits=without(CONFIG["limits"], "file")), dict(CONFIG, budget=dict(CONFIG["budget"], width=1)),
                      dict(CONFIG, budget=without(CONFIG["budget"], "nodes"))):
            with self.assertRaises(EOFError):
                Client(wrong)


if __name__ == "__main__":
    unittest.main()

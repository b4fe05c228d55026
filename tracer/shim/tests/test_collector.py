"""Whose a GeneratorExit is: the collector's, which no state of a program is, or the program's own."""
import sys
import unittest

from fixture import record

GENERATOR_EXIT, COLLECTOR = 2, 32
MAKE = """import gc
from gc import collect
def make(box=None):
    me = yield 0
    try: yield 1
    finally: x = 1
def started(box=None):
    g = make(box); next(g); next(g)
    return g
def main():
"""
SINCE_311 = sys.version_info >= (3, 11)  # before, what del frees is freed inside the tracer, and not seen

# body of main, whether the collector closes the generator
CASES = (
    ("g = started(); g.close()", False),
    ("started().close()", False),
    ("a = [started()]; a.pop().close()", False),
    ("for i in make():\n        if i: break", True),
    ("box = []; box.append(started(box)); del box; gc.collect()", True),
    ("g = make(); next(g); g.send(g); del g; gc.collect()", True),
    ("box = []; box.append(started(box)); box = None; collect()", True),
    ("g = started()\n    try: g.throw(GeneratorExit)\n    except GeneratorExit: pass", False),
) + ((("g = started(); del g", True),) if SINCE_311 else ())


class Collector(unittest.TestCase):
    def test_closes(self) -> None:
        for body, want in CASES:
            trace = record(MAKE + "    " + body + "\n")
            told = [bool(e.flags & COLLECTOR) for e in trace.events if e.flags & GENERATOR_EXIT and trace.name_of(e.frame) == "make"]
            self.assertEqual(told, [want] * len(told), body)
            self.assertTrue(told or sys.version_info < (3, 11), body)

    def test_what_follows_in_the_frame(self) -> None:
        trace = record(MAKE + "    g = started(); g = None\n")
        first = next((i for i, e in enumerate(trace.events) if e.flags & COLLECTOR), None)
        if first is None:
            self.assertFalse(SINCE_311)
            return
        self.assertEqual([(e.kind, trace.name_of(e.frame)) for e in trace.events if e.flags & COLLECTOR],
                         [("resume", "make"), ("exception", "make"), ("line", "make"), ("unwind", "make")])


if __name__ == "__main__":
    unittest.main()

"""Tests of the renderer: python3 -m unittest discover -s tracer/shim/tests -p 'test_render*.py'"""
import glob
import os
import random
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from render import make_renderer  # noqa: E402
from render_budget import BUDGET, longest, settle  # noqa: E402

ATOMS = [0, 1, -1, True, False, None, 1.0, 0.0, -0.0, 10**17, 10**18, -10**40, 2**53 + 1, float("inf"), -float("inf"),
         float("nan"), 1e300, 1j, complex(-0.0, float("nan")), "", "a", "it's", 'both \' and "', "\n\r\t\\\0\x7f\x85",
         "\ud800", "\u2028", "\U0001f600", "\U000e0001", "é", b"", b"\xff\n'", b"ab"]


def random_value(rng, depth, sets=False):
    """A random nested builtin. Sets only where asked for: their repr's order is no order."""
    kind = rng.randrange(9 if depth else 4)
    if kind < 4:
        return rng.choice(ATOMS)
    n = rng.randrange(5)
    members = [random_value(rng, depth - 1, sets) for _ in range(n)]
    if kind == 4 or kind == 5:
        return members
    if kind == 6:
        return tuple(members)
    if kind == 7 and sets:
        return rng.choice([set, frozenset])(rng.sample(ATOMS, n))
    return {rng.choice(ATOMS): m for m in members}


class Agrees(unittest.TestCase):
    def test_random_builtins_read_as_their_repr(self):
        render, rng = make_renderer({"value_chars": 100000}), random.Random(1)
        for _ in range(3000):
            value = random_value(rng, 4)
            self.assertEqual(render(value), (repr(value), False))

    def test_sets_are_sorted_and_evaluate_to_themselves(self):
        render = make_renderer({})
        for value, text in [
            (set(), "set()"), (frozenset(), "frozenset()"), ({3, 10, 2}, "{2, 3, 10}"),
            ({"b", "a", "é"}, "{'a', 'b', 'é'}"), (frozenset([2, 1]), "frozenset({1, 2})"),
            ({"1", 2, 1.5, None, True, b"x"}, "{None, True, b'x', 1.5, 2, '1'}"),
            ({(2, 1), (1, 2), (1, 1)}, "{(1, 1), (1, 2), (2, 1)}"),
            ({frozenset([2, 1]), frozenset()}, "{frozenset(), frozenset({1, 2})}"),
        ]:
            self.assertEqual(render(value), (text, False))
            self.assertEqual(eval(text), value)

    def test_equal_values_of_other_types_read_apart(self):
        render = make_renderer({})
        self.assertEqual([render(v)[0] for v in ([1], [True], [1.0], [0.0], [-0.0], ["1"], [b"1"], [1 + 0j])],
                         ["[1]", "[True]", "[1.0]", "[0.0]", "[-0.0]", "['1']", "[b'1']", "[(1+0j)]"])

    def test_long_ints_do_not_meet_the_interpreters_limit(self):
        render = make_renderer({"value_chars": 100000})
        had = getattr(sys, "get_int_max_str_digits", lambda: 0)()
        want = {}
        if had:
            sys.set_int_max_str_digits(0)
        for n in (639, 640, 641, 1201, 4200):
            want[n] = str(10**n + 7), str(-10**n - 1)
        if had:
            sys.set_int_max_str_digits(640)
        try:
            for n, (positive, negative) in want.items():
                self.assertEqual(render(10**n + 7), (positive, False))
                self.assertEqual(render([-10**n - 1]), ("[%s]" % negative, False))
            text, cut = render(10**5000)
            self.assertRegex(text, r"^<int of 16610 bits, #[0-9a-f]{12}>$")
            self.assertTrue(cut)
            self.assertRegex(render([-10**5000])[0], r"^\[<negative int of 16610 bits, #[0-9a-f]{12}>\]$")
            self.assertNotEqual(render(10**5000 + 1)[0], text)
        finally:
            if had:
                sys.set_int_max_str_digits(had)


class Bounded(unittest.TestCase):
    def test_random_values_stay_inside_random_budgets(self):
        rng = random.Random(2)
        for _ in range(300):
            budget = {"depth": rng.randrange(1, 6), "items": rng.randrange(0, 5), "chars": rng.randrange(0, 20),
                      "value_chars": rng.choice([1, 16, 17, 40, 100, 400]), "nodes": rng.randrange(1, 20),
                      "digest_bytes": rng.choice([0, 16, 100, 65536]), "mode": rng.choice(["repr", "typed"])}
            render = make_renderer(budget)
            for _ in range(20):
                value = random_value(rng, 6, sets=True)
                for v in (value, [value, value], {"k": value}, Holder(value), {"x" * 50: value}):
                    text, cut = render(v)
                    self.assertLessEqual(len(text), longest(budget))
                    self.assertNotIn("\n", text)
                    text.encode("utf-8")
                    self.assertEqual(cut, "<... " in text or "int of " in text, text)

    def test_a_cut_value_says_what_it_was(self):
        render = make_renderer({"items": 3, "chars": 4, "depth": 2})
        for value, text in [
            ([1, 2, 3, 4], r"[1, 2, 3, <... 1 more, list of 4, #H>]"),
            ((1, 2, 3, 4), r"(1, 2, 3, <... 1 more, tuple of 4, #H>)"),
            ({1: 2, 3: 4, 5: 6, 7: 8}, r"{1: 2, 3: 4, 5: 6, <... 1 more, dict of 4, #H>}"),
            ({4, 3, 2, 1}, r"{1, 2, 3, <... 1 more, set of 4, #H>}"),
            (frozenset((4, 3, 2, 1)), r"frozenset({1, 2, 3, <... 1 more, frozenset of 4, #H>})"),
            ("abcdef", r"'abcd'<... 2 more, str of 6, #H>"), (b"abcdef", r"b'abcd'<... 2 more, bytes of 6, #H>"),
            ([[[1]]], r"[[[<... 1 more, list of 1, #H>]]]"), ([[[]]], r"[[[]]]"), ([[()]], "[[()]]"),
            ([[Holder(1)]], "[[Holder(<... 1 more, Holder of 1>)]]"),
            ([1, 2, 3, Holder(1)], "[1, 2, 3, <... 1 more, list of 4>]"),
        ]:
            got, cut = render(value)
            self.assertEqual(digits_out(got), text)
            self.assertEqual(cut, "<..." in text)

    def test_the_hash_tells_hidden_differences(self):
        render = make_renderer({"items": 2})
        a, b = list(range(1000)), list(range(1000))
        self.assertEqual(render(a), render(b))
        for other in (7.5, True, "500", 501):
            b[500] = other
            self.assertNotEqual(render(a), render(b), other)
        self.assertNotEqual(render([0, 0, [1, [2]]]), render([0, 0, [1, [3]]]))
        huge = [0] * 10**6
        text = render(huge)[0]
        self.assertIn(", ~", text)  # hashed in part
        huge[-1] = 1
        self.assertNotEqual(render(huge)[0], text)

    def test_deep_nesting_and_cycles(self):
        deep = []
        for _ in range(100000):
            deep = [deep]
        text, cut = make_renderer({"depth": 3})(deep)
        self.assertEqual((text, cut), ("[[[[<... 1 more, list of 1>]]]]", True))
        while deep:  # not left to the collector, whose recursion has a limit of its own
            deep = deep[0]
        render = make_renderer({})
        a, d, t = [1], {}, ([],)
        a.append(a)
        d["d"] = d
        t[0].append(t)
        for value in (a, d, t):
            self.assertEqual(render(value), (repr(value), False))
        h = Holder(None)
        h.value = [h]
        self.assertEqual(render(h), ("Holder(value=[Holder(...)])", False))
        wide = []
        for _ in range(50):
            wide = [wide, wide]
        self.assertLessEqual(len(make_renderer({"depth": 60})(wide)[0]), longest({"depth": 60}))

    def test_work_does_not_grow_with_the_value(self):
        def work(value):
            calls = [0]

            def count(frame, event, arg):
                calls[0] += 1
            sys.setprofile(count)
            try:
                render(value)
            finally:
                sys.setprofile(None)
            return calls[0]
        render = make_renderer({})
        for make in (lambda n: [0] * n, lambda n: [[i] for i in range(n)], lambda n: "x" * n,
                     lambda n: dict.fromkeys(range(n)), lambda n: set(range(n)), lambda n: {(i,) for i in range(n)},
                     lambda n: Holder([0] * n), lambda n: bytearray(n), lambda n: [Holder(i) for i in range(n)],
                     lambda n: SubList(range(n)), lambda n: 1 << n):
            small, large = make(20000), make(200000)
            render(small)  # the first time may import
            self.assertLessEqual(work(large), work(small) + 5)

    def test_random_values_never_raise_in_typed_mode(self):
        render, rng = make_renderer({"mode": "typed"}), random.Random(3)
        for _ in range(1000):
            text, _ = render(random_value(rng, 5, sets=True))
            text.encode("utf-8")


SEEDED = """
import random, sys
sys.path.insert(0, sys.argv[1])
from render import make_renderer
rng = random.Random(4)
word = lambda: "".join(rng.choice("abc") for _ in range(rng.randrange(1, 30)))
for mode in "repr", "typed":
    for budget in {}, {"value_chars": 100}, {"nodes": 9}, {"items": 3, "chars": 5}, {"value_chars": 30}, {"digest_bytes": 1}:
        render = make_renderer(dict(budget, mode=mode))
        for _ in range(20):
            words = [word() for _ in range(12)]
            print(render(set(words)), render({(w, len(w)) for w in words}), render([{frozenset(words[i:i + 3]), w, 1} for i, w in
                enumerate(words)]), render({(w, (w, (1, 2))) for w in words}))
"""


class HashOrder(unittest.TestCase):
    def test_it_does_not_show(self):
        shim = os.path.dirname(HERE)
        seen = {subprocess.check_output([sys.executable, "-B", "-c", SEEDED, shim], env=dict(os.environ, PYTHONHASHSEED=seed))
                for seed in "0123"}
        self.assertEqual(len(seen), 1)
        self.assertIn(b"frozenset({", seen.pop())


class Holder:
    def __init__(self, value):
        self.value = value


class SubList(list):
    pass


def digits_out(text):
    """The text with its hashes replaced by H."""
    pieces = text.split("#")
    return "#".join([pieces[0]] + ["H" + p[12:] for p in pieces[1:]])


class Budgets(unittest.TestCase):
    def test_wrong_budgets_are_named(self):
        for budget, message in [({"depht": 3}, "unknown field 'depht'"), ({"mode": "x"}, "mode 'x'"),
                                ({"depth": 0}, "depth is 0"), ({"items": True}, "items is True"),
                                ({"chars": "3"}, "chars is '3'"), ({"value_chars": 0}, "value_chars is 0")]:
            with self.assertRaisesRegex(ValueError, message):
                make_renderer(budget)

    def test_defaults_are_inside_their_ranges(self):
        whole = settle({})
        self.assertEqual(settle(whole), whole)
        self.assertEqual(set(whole), set(BUDGET) | {"mode"})


class Typed(unittest.TestCase):
    def test_types_and_sharing(self):
        render = make_renderer({"mode": "typed"})
        shared = [1]
        cyclic = []
        cyclic.append(cyclic)
        for value, text in [
            (1, "int 1"), (True, "bool True"), (1.0, "float 1.0"), (None, "None"), ("a", "str 'a'"), (b"", "bytes b''"),
            ([1, "a"], "list#1[int 1, str 'a']"), ([shared, shared], "list#1[list#2[int 1], ref#2]"),
            ([[1], [1]], "list#1[list#2[int 1], list#3[int 1]]"), (cyclic, "list#1[ref#1]"), ((), "()"),
            ({"k": shared, "l": shared}, "dict#1{str 'k': list#2[int 1], str 'l': ref#2}"),
            ({2, 1}, "set#1{int 1, int 2}"), (Holder(shared), "Holder#1(value=list#2[int 1])"),
            (SubList([1]), "SubList#1(list[int 1])"), ({(1,), (0,)}, "set#1{tuple#2(int 0,), tuple#3(int 1,)}"),
        ]:
            self.assertEqual(render(value), (text, False))


class Fixtures(unittest.TestCase):
    """tests/values/*.txt: a snippet, a line of ---, and lines

        [VERSIONS] EXPRESSION => TEXT   the text is also what repr gives
        [VERSIONS] EXPRESSION -> TEXT   it is not: repr is the program's own, has an address or an order of hashes

    where VERSIONS, such as 3.8-3.11 or 3.12, are those that the line is for; without them it is for all.
    """

    def test_fixtures(self):
        paths = sorted(glob.glob(os.path.join(HERE, "values", "*.txt")))
        self.assertGreater(len(paths), 10)
        render = make_renderer({})
        for path in paths:
            with open(path, encoding="utf-8") as f:
                snippet, _, lines = ("\n" + f.read()).partition("\n---\n")
            program = {"__name__": "program"}
            exec(compile(snippet, path, "exec"), program)
            ran = 0
            for line in filter(None, lines.split("\n")):
                expression, want, version, as_repr = parse(line)
                if version is None or sys.version_info[:2] in version:
                    with self.subTest(file=os.path.basename(path), expression=expression):
                        value = eval(expression, program)
                        self.assertEqual(render(value), (want, False))
                        if as_repr:
                            self.assertEqual(repr(value), want)
                    ran += 1
            self.assertGreater(ran, 0, path)


def parse(line):
    version = None
    if line.startswith("[3."):
        marks, line = line[1:].split("] ", 1)
        first, _, last = marks.partition("-")
        low = tuple(map(int, first.split(".")))
        high = tuple(map(int, last.split("."))) if last else (3, 99)
        version = Range(low, high)
    arrow = " => " if " => " in line else " -> "
    expression, _, want = line.partition(arrow)
    return expression, want, version, arrow == " => "


class Range:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __contains__(self, version):
        return self.low <= version <= self.high


if __name__ == "__main__":
    unittest.main()

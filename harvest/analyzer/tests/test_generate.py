"""Calls that are generated: from annotations, from uses, as mutants, and out of texts."""

import ast
import json
import struct
import unittest
from typing import Any, Dict, List
from unittest import mock

from analyzer import evidence, generate, requests
from analyzer.evidence import KINDS, Node


def ask(program: str, **head: Any) -> Dict[str, Any]:
    head.setdefault("entry", "f")
    head.setdefault("function", head["entry"])
    head.setdefault("seed", "1")
    packed = json.dumps({"generate": head}).encode()
    answer = json.loads(requests.answer(struct.pack("<I", len(packed)) + packed + program.encode("utf-8")).decode("utf-8"))
    for call in answer["calls"]:
        compile(call["call"], "<call>", "eval")
    return answer


def calls(program: str, **head: Any) -> List[str]:
    return [call["call"] for call in ask(program, **head)["calls"]]


def arguments(program: str, count: int = 30) -> List[List[Any]]:
    """The arguments of typed calls, by running them: what the function is given is what it returns."""
    found = []
    for call in calls(program + "    return _given\n", typed=count):
        namespace = {}  # type: Dict[str, Any]
        exec(program.replace(":\n    pass", ":\n    return list(locals().values())"), namespace)
        found.append(eval(call, namespace))
    return found


class AnnotationTest(unittest.TestCase):
    def check(self, annotation: str, right: Any, setup: str = "") -> None:
        program = "from typing import *\nimport enum, datetime, dataclasses\n%sdef f(x: %s):\n    pass\n" % (setup, annotation)
        made = arguments(program)
        self.assertGreater(len(made), 0)
        for (value,) in made:
            self.assertTrue(right(value), "%s: %r" % (annotation, value))

    def test_values_are_of_the_type(self) -> None:
        for annotation, right in {
            "int": lambda x: type(x) is int,
            "str": lambda x: type(x) is str,
            "bytes": lambda x: type(x) is bytes,
            "List[int]": lambda x: type(x) is list and all(type(i) is int for i in x),
            "'list[str]'": lambda x: type(x) is list and all(type(i) is str for i in x),
            "Sequence[float]": lambda x: all(type(i) is float for i in x),
            "Dict[str, List[int]]": lambda x: type(x) is dict and all(type(k) is str and type(v) is list for k, v in x.items()),
            "Mapping[int, str]": lambda x: all(type(k) is int and type(v) is str for k, v in x.items()),
            "Set[Tuple[int, str]]": lambda x: type(x) is set and all(type(i) is tuple and len(i) == 2 for i in x),
            "Tuple[int, str, bool]": lambda x: [type(i) for i in x] == [int, str, bool],
            "Tuple[int, ...]": lambda x: type(x) is tuple and all(type(i) is int for i in x),
            "Optional[int]": lambda x: x is None or type(x) is int,
            "Union[str, bytes]": lambda x: type(x) in (str, bytes),
            "Literal['a', 3]": lambda x: x in ("a", 3),
            "Callable[[int], str]": callable,
            "Iterator[int]": lambda x: all(type(i) is int for i in x) and iter(x) is x,
            "FrozenSet[str]": lambda x: type(x) is frozenset,
            "datetime.date": lambda x: type(x).__name__ == "date",
            "'Annotated[int, 1]'": lambda x: type(x) is int,
        }.items():
            self.check(annotation, right)

    def test_classes_of_the_module(self) -> None:
        self.check("Colour", lambda x: x.name in ("RED", "BLUE"), "class Colour(enum.Enum):\n    RED = 1\n    BLUE = 2\n")
        self.check("Point", lambda x: type(x.x) is int and type(x.name) is str, "@dataclasses.dataclass\nclass Point:\n    x: int\n    name: str\n")
        self.check("Pair", lambda x: type(x.a) is int and type(x.b) is str, "class Pair(NamedTuple):\n    a: int\n    b: str\n")
        self.check("Movie", lambda x: set(x) == {"name", "year"}, "class Movie(TypedDict):\n    name: str\n    year: int\n")
        self.check("Box", lambda x: type(x.size) is int, "class Box:\n    def __init__(self, size: int):\n        self.size = size\n")
        self.check("UserId", lambda x: type(x) is int, "UserId = NewType('UserId', int)\n")
        self.check("Vector", lambda x: type(x) is list, "Vector = List[float]\n")
        self.check("T", lambda x: type(x) is str, "T = TypeVar('T', bound=str)\n")
        self.check("List[Node]", lambda x: all(type(i).__name__ == "Node" for i in x), "class Node:\n    size = 1\n")


class UsesTest(unittest.TestCase):
    def shares(self, body: str, right: Any, share: float, helper: str = "", name: str = "x") -> None:
        program = "%sdef f(%s):\n%s" % (helper, name, "".join("    %s\n" % line for line in body.split("\n")))
        values = []
        for call in calls(program, typed=30):
            (argument,) = ast.parse(call, mode="eval").body.args  # type: ignore[attr-defined]
            values.append(eval(compile(ast.Expression(argument), "<argument>", "eval")))
        good = [value for value in values if right(value)]
        self.assertGreaterEqual(len(good), share * len(values), "%s: %r" % (body, values))

    def test_kinds_by_use(self) -> None:
        for body, right in {
            "return x.split(',')": lambda x: type(x) is str,
            "return x.items()": lambda x: type(x) is dict,
            "x.append(1)\nreturn x": lambda x: type(x) is list,
            "return x['a'] + x['b']": lambda x: type(x) is dict and set(x) == {"a", "b"},
            "return x.startswith(b'GIF')": lambda x: type(x) is bytes,
            "return x.read().split()": lambda x: hasattr(x, "read"),
            "return x.left.right": lambda x: hasattr(x, "left"),
            "return x << 2": lambda x: type(x) is int,
            "return [c.upper() for c in x]": lambda x: all(type(c) is str for c in x),
            "return sum(x) / len(x)": lambda x: all(isinstance(c, (int, float)) for c in x),
            "return sum(a * b for a, b in x)": lambda x: all(len(pair) == 2 for pair in x),
            "return [row[0] for row in x]": lambda x: type(x) in (list, str, tuple),
            "for k, v in x.items():\n    k.lower(), v.append(1)": lambda x: all(type(k) is str and type(v) is list for k, v in x.items()),
            "return x == 'north' or x == 'south'": lambda x: type(x) is str,
        }.items():
            self.shares(body, right, 0.65)

    def test_checks_of_types(self) -> None:
        self.shares("return isinstance(x, set)", lambda x: type(x) is set, 0.3)

    def test_helpers_tell(self) -> None:
        self.shares("return helper(x)", lambda x: type(x) is dict, 0.9, "def helper(y):\n    return y.keys()\n\n")

    def test_constants_are_met(self) -> None:
        self.shares("return x == 'north'", lambda x: x == "north", 0.01)
        self.shares("return x.startswith('http://')", lambda x: x.startswith("http://"), 0.1)
        self.shares("return 1 if x > 41 else 0", lambda x: x in (41, 42), 0.1)
        self.shares("return len(x) == 5 and x[::-1]", lambda x: len(x) == 5, 0.1)

    def test_names_and_docstrings(self) -> None:
        self.shares("return 0", lambda x: type(x) is list and all(type(row) is list for row in x), 0.5, name="matrix")
        self.shares("return 0", lambda x: type(x) is str, 0.6, name="text")
        self.shares('"""Says.\n\n:param y: a list of strings\n"""\nreturn 0', lambda y: type(y) is list, 0.5, name="y")


class EvidenceTest(unittest.TestCase):
    def test_what_is_told_again_and_again(self) -> None:
        for factor in (1e-9, 1e9):
            node = Node()
            for _ in range(100):
                node.likely({kind: factor for kind in KINDS})
            self.assertAlmostEqual(sum(node.weights().values()), 1.0)

    def test_values_that_hold_their_like(self) -> None:
        """Of what is in them, at each level, as much may be asked by several ways: together they are too many to be walked."""
        program = (
            "def f(x, make):\n"
            "    if isinstance(x, tuple) and hasattr(x, '_fields'):\n        return type(x)(*[f(v, make) for v in x])\n"
            "    if isinstance(x, (list, tuple)):\n        return type(x)(f(v, make) for v in x)\n"
            "    if isinstance(x, dict):\n        return type(x)((f(k, make), f(v, make)) for k, v in x.items())\n"
            "    return x\n"
        )
        with mock.patch("analyzer.evidence._both", side_effect=evidence._both) as joins:
            self.assertTrue(calls(program, typed=5))
        self.assertLess(joins.call_count, 1000)


class MutantTest(unittest.TestCase):
    PROGRAM = "def f(a, b):\n    if a == 12345:\n        return b\n    return a\n"

    def test_mutants_are_new_and_compile(self) -> None:
        corpus = ["f([1, (2,), {'a': -3}], {4})", "f(b'x', b=1.5)", "list(f('a\\n', True))"]
        made = calls(self.PROGRAM, corpus=corpus, mutants=60)
        self.assertGreater(len(made), 40)
        self.assertEqual(len(made), len(set(made)))
        self.assertFalse(set(made) & set(corpus))

    def test_constants_of_the_body_are_used(self) -> None:
        made = calls(self.PROGRAM, corpus=["f(1, 2)"], mutants=60)
        self.assertTrue(any("12345" in call for call in made), made)

    def test_nothing_is_evaluated(self) -> None:
        made = calls("def f(a):\n    return a\n", corpus=["f(__import__('os').getpid())"], mutants=10)
        for call in made:
            self.assertTrue("getpid" in call or "os" not in call, call)


class GenerateTest(unittest.TestCase):
    PROGRAM = "class C:\n    def m(self, n):\n        return n + 1\n    @staticmethod\n    def s(text):\n        return text.upper()\n\ndef f(a=1, *b, **c):\n    yield a\n"

    def test_the_same_seed_gives_the_same(self) -> None:
        for head in ({"typed": 20}, {"corpus": ["list(f(1))"], "mutants": 20}):
            self.assertEqual(ask(self.PROGRAM, **head), ask(self.PROGRAM, **head))
            self.assertNotEqual(ask(self.PROGRAM, **head), ask(self.PROGRAM, seed="2", **head))

    def test_defaults_and_generators(self) -> None:
        self.assertEqual(ask(self.PROGRAM, defaults=True)["calls"][0]["call"], "list(f())")
        self.assertEqual(ask(self.PROGRAM, defaults=True)["calls"][0]["generator"], "default")

    def test_methods(self) -> None:
        for call in calls(self.PROGRAM, entry="C().m", function="C.m", typed=5):
            self.assertEqual(len(ast.parse(call, mode="eval").body.args), 1)  # type: ignore[attr-defined]
        for call in calls(self.PROGRAM, entry="C.s", function="C.s", typed=5):
            self.assertEqual(len(ast.parse(call, mode="eval").body.args), 1)  # type: ignore[attr-defined]

    def test_texts(self) -> None:
        text = "Sure:\n```python\nassert f(1, 'a)') == 2\nprint(f(\n  [1,\n   2]))\n```\n1. f( 1,'a)' )\n2. f(x)\n3. f(1\n`g.f(9)`"
        answer = ask("def f(a, b=0):\n    return a\n", texts=[text, "nothing"])
        self.assertEqual([call["call"] for call in answer["calls"]], ["f(1, 'a)')", "f(   [1,    2])"])
        self.assertEqual(answer["bad"], {"duplicate_case": 1, "unknown_names": 1, "no_call": 1})

    def test_calls_on_objects_of_their_own(self) -> None:
        program = (
            "class Conn:\n    def __init__(self, a=0, b=0):\n        self.a = a\n    def query(self, n=1):\n        yield n\n"
            "class Sub(Conn):\n    pass\nclass Other(Conn):\n    def query(self):\n        pass\n"
        )
        for call, want in {
            "Conn(1, 2).query()": "list(Conn(1, 2).query())",
            "Conn().query(5)": "list(Conn().query(5))",
            "next(Conn(1,\n2).query())": "list(Conn(1, 2).query())",
            "Sub(3).query(n=4)": "list(Sub(3).query(n=4))",
        }.items():
            given = [{"call": call}]
            self.assertEqual(calls(program, entry="Conn().query", function="Conn.query", given=given), [want])
            self.assertEqual(calls(program, entry="Conn().query", function="Conn.query", texts=["Such as\n" + call.replace("\n", " ")]), [want])
        for call in ("Other(1).query()", "Conn(1).other()", "conn.query()", "Conn.query(1)", "Conn(1).query"):
            answer = ask(program, entry="Conn().query", function="Conn.query", given=[{"call": call}])
            self.assertEqual((answer["calls"], answer["refused"]), ([], [{"reason": "bad_call", "detail": call + ": it does not call Conn().query"}]))

    def test_what_is_given_and_not_taken(self) -> None:
        for given, reason, detail in (
            ({"input": ")("}, "bad_call", "f()(): the input is not an argument list"),
            ({"input": "1, # one"}, "bad_call", "f(1, # one): the input is not an argument list"),
            ({"call": "g(1)"}, "bad_call", "g(1): it does not call f"),
            ({"input": "x, y"}, "local_names", "f(x, y) uses x, y"),
            ({"input": "0x1"}, "duplicate_case", "f(0x1)"),
        ):
            answer = ask("def f(*a):\n    return a\n", given=[given], have=["f(1)"])
            self.assertEqual((answer["calls"], answer["refused"]), ([], [{"reason": reason, "detail": detail}]))

    def test_keys(self) -> None:
        self.assertEqual(generate.key("f( 'a',(1) )"), generate.key('f("a", 1)'))
        self.assertNotEqual(generate.key("f(1)"), generate.key("f(True)"))

    def test_a_property_is_read(self) -> None:
        program = "class C:\n    @property\n    def p(self): return 1\n"
        self.assertEqual(calls(program, entry="C().p", function="C.p", defaults=True, typed=9), ["C().p"])
        self.assertEqual(calls(program, entry="C().p", function="C.p", typed=9), [])

    def test_asynchronous(self) -> None:
        self.assertTrue(calls("async def f(n):\n    return n\n", typed=1)[0].startswith("__import__('asyncio').run(f("))
        self.assertEqual(calls("async def f(n):\n    yield n\n", typed=1), [])
        self.assertIn("islice", calls("def f(n):\n    while True:\n        yield n\n", typed=1)[0])


if __name__ == "__main__":
    unittest.main()

"""Methods, and the objects that they are called on; the fixture methods.py has the rest."""

import json
import struct
import unittest
from typing import Any, Dict

from analyzer import requests

BOX = "class Box:\n    def __init__(self, size: int):\n        self.size = size\n    def double(self):\n        return 2 * self.size\n"


def analyze(text: str, **head: Any) -> Dict[str, Any]:
    packed = json.dumps(dict(head, text=True, max_bytes=1 << 16)).encode()
    return json.loads(requests.answer(struct.pack("<I", len(packed)) + packed + text.encode("utf-8")).decode("utf-8"))


class UnitsTest(unittest.TestCase):
    def test_objects_are_guessed_only_where_guesses_are_wanted(self) -> None:
        self.assertEqual([left["reason"] for left in analyze(BOX)["left"]], ["no_instance"])
        found = analyze(BOX, caseless=True)
        self.assertEqual(found["left"], [])
        space = {}  # type: Dict[str, Any]
        exec(BOX, space)
        self.assertIsInstance(eval(found["functions"][0]["entry"], space)(), int)

    def test_a_row_names_a_method_in_any_way(self) -> None:
        text = BOX + "Box(3)\n"
        for entry in ("Box.double", "Box(3).double"):
            found = analyze(text, entry=entry, inputs=[{"text": "", "whole": False, "expected": "6"}])
            self.assertEqual([(c["function"], c["call"], c["expected"]) for c in found["cases"]], [("Box.double", "Box(3).double()", "6")])
        self.assertEqual(analyze(text, entry="Box.triple", inputs=[])["reason"], "no_entry")

    def test_what_a_variable_holds_is_what_made_it(self) -> None:
        def cases(body: str) -> Any:
            text = BOX + "def test():\n" + "".join("    %s\n" % line for line in body.split("\n"))
            return [(case["call"], case["expected"]) for case in analyze(text + "Box(1)\n")["cases"]]

        self.assertEqual(cases("b = Box(2)\nassert b.double() == 4"), [("Box(2).double()", "4")])
        self.assertEqual(cases("b = Box(2)\nb.size = 3\nassert b.double() == 6"), [("Box(2).double()", None)])
        self.assertEqual(cases("b = Box(2)\nb = other()\nassert b.double() == 6"), [])
        self.assertEqual(cases("n = 2\nb = Box(n)\nassert b.double() == 4"), [])
        self.assertEqual(cases("b = Box(2)\nassert sorted([b.double(), 1])"), [("Box(2).double()", None)])
        self.assertEqual(cases("b = Box(2)\nassert str(\n  b.double()) == '4'"), [("str(\n      Box(2).double())", "'4'")])

    def test_properties_are_read(self) -> None:
        text = BOX + (
            "    @property\n    def area(self):\n        return self.size ** 2\n    @area.setter\n    def area(self, value): self.size = value\n"
            "    @functools.cached_property\n    def parts(self):\n        yield self.size\n"
            "import functools\nb = Box(2)\nassert b.area == 4\nassert sum(Box(3).parts) == 3\nassert Box(4).area.real\nb.area = 5\nassert Box.area\n"
        )
        found = analyze(text)
        self.assertEqual([f["entry"] for f in found["functions"]], ["Box(2).double", "Box(2).area", "Box(2).parts"])
        calls = [(c["function"], c["call"], c["expected"]) for c in found["cases"]]
        self.assertEqual(calls, [("Box.area", "Box(2).area", "4"), ("Box.parts", "sum(Box(3).parts)", "3"), ("Box.area", "Box(4).area", None)])
        self.assertEqual(analyze(text, entry="Box.area", inputs=[])["reason"], "no_entry")

    def test_a_stub_for_type_checkers_is_no_function(self) -> None:
        text = "import typing as t\n@t.overload\ndef f(x: int) -> int: ...\n@t.overload\ndef f(x: str) -> str: ...\ndef f(x): return x\nassert f(1)\n"
        found = analyze(text)
        self.assertEqual(([f["start"] for f in found["functions"]], found["left"]), ([6], []))

    def test_collector_is_not_taken_for_a_word_of_the_program(self) -> None:
        text = "def collect(): pass\nasync def f(): yield 1\nif __name__ == '__main__':\n    f()\n"
        found = analyze(text)
        self.assertIn("run(collect_2(f()))", found["cases"][0]["call"])
        self.assertIn("async def collect_2(items):", [f["suffix"] for f in found["functions"] if f["name"] == "f"][0])

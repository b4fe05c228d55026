"""What is found in one item: its functions, each with the part of the program that it is cut to, and their cases."""

import ast
import warnings
from typing import Any, Dict, List, Optional, Set

from analyzer import claims, generated, leetcode, notebook, programs, source, testfiles
from analyzer.cases import Cases
from analyzer.definitions import first_line, is_generator, is_main_guard
from analyzer.driving import needs_helper, suffix
from analyzer.expressions import free_names
from analyzer.filters import Filters
from analyzer.fingerprint import Fingerprints
from analyzer.module import Module, blocks
from analyzer.slicing import Ranges, Slicer
from analyzer.surroundings import Surroundings
from analyzer.typed import Typed
from analyzer.units import Left, Unit, Units
from analyzer.uses import Uses

# An item may be so many times longer than a program, where programs are cut from it.
_ITEM_LENGTH = 16
# A file of many functions that each reach many statements would be answered by a text of any length.
_MOST_RANGES = 200_000


def analyze(head: Dict[str, Any], raw: bytes) -> Dict[str, Any]:
    """What is found in one file or row; raises source.Rejected for one that gives nothing."""
    facts = {}  # type: Dict[str, int]
    if head.get("notebook"):
        read = notebook.read(raw)
        program = read.program
        facts = {"cells": read.cells, "cells_left": read.left, "magics": read.magics}
    else:
        program = source.normal(raw.decode("utf-8")) if head.get("text") else source.decode(raw)
    size = len(program.encode("utf-8"))
    most = head["max_bytes"] * (_ITEM_LENGTH if head.get("slice") == "minimal" else 1)
    if size > most:
        raise source.Rejected("too_long", "%d bytes of program, more than %d" % (size, most))
    if (head.get("filters") or {}).get("generated"):
        why = generated.why(program, head.get("path") or "")
        if why is not None:
            raise source.Rejected("generated", why)
    source.gate(program)
    if head.get("imports"):
        program = leetcode.with_imports(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if head.get("entry") == programs.ENTRY:
            return dict(programs.analyze(head, program), facts=facts)
        return dict(_Item(head, program).answer(), facts=facts)


class _Item:
    def __init__(self, head: Dict[str, Any], program: str) -> None:
        self.head = head
        self.program = program
        self.module = Module(program)
        self.units = Units(self.module, self._guess if head.get("caseless") else None)
        self.cases = Cases(program, self.units)
        self.filters = Filters(head.get("filters"))
        self.tests = {}  # type: Dict[str, int]  # facts of test files
        self.calls = {}  # type: Dict[str, List[str]]
        self.ranges = 0  # of lines that functions are cut to
        self.left = []  # type: List[Left]
        self.prints = Fingerprints(self.module) if head.get("fingerprints") else None
        self.slicer = None  # type: Optional[Slicer]
        if head.get("slice") == "minimal" or self.filters.reaches:
            self.slicer = Slicer(program, self.module)

    def _guess(self, name: str) -> str:
        """An expression that makes an object of a class, where calls may be guesses too."""
        surroundings = Surroundings(self.module)
        return Typed(surroundings, Uses(surroundings), name).instance(name)

    def answer(self) -> Dict[str, Any]:
        wanted = self._row() if self.head.get("entry") or self.head.get("tests") else self._file()
        for case in self.cases.found:
            self.calls.setdefault(case.function, []).append(case.call)
        functions = []  # type: List[Dict[str, Any]]
        for unit in sorted(wanted, key=lambda unit: (first_line(unit.node), unit.qualname)):
            left = self._function(unit, functions)
            if left is not None:
                self.left.append(left)
        kept = {function["name"] for function in functions}
        return {
            "program": self.program,
            "blocks": blocks(self.module.tree, self.module.nodes),
            "functions": functions,
            "left": [left._asdict() for left in self.left],
            "cases": [case._asdict() for case in self.cases.found if case.function in kept],
            "drops": [drop._asdict() for drop in self.cases.drops],
            "test_facts": self.tests,
        }

    def _row(self) -> List[Unit]:
        tests = self.head.get("tests") or []
        entry = self.head.get("entry") or claims.entry_of(tests, self.module)
        unit = self.units.entry(entry) if entry else None
        if unit is None:
            names = ", ".join(sorted(self.units.found)) or "none"
            what = "no function %s" % entry if entry else "no function that the tests call"
            raise source.Rejected("no_entry", "%s; there are: %s" % (what, names))
        for given in self.head.get("inputs") or []:
            # Line ends as in a file; anything else that a file may not hold is found when the call is compiled.
            text = given["text"].replace("\r\n", "\n").replace("\r", "\n")
            self.cases.given(unit, text, given["whole"], given.get("expected"))
        for test in tests:
            self.cases.claimed(unit, test)
        if self.head.get("caseless"):
            self.cases.harvest()
            self.cases.anywhere()
        self.cases.only(unit.qualname)
        return [unit]

    def _file(self) -> List[Unit]:
        self.left.extend(self.units.left)
        if not self.units.found and not self.left:
            raise source.Rejected("no_function", "no function at top level, and no method")
        self.cases.harvest()
        self.tests = testfiles.read(self.head.get("test_files") or [], self.head.get("path") or "", self.cases)
        if self.head.get("tests_left"):
            self.tests["left"] = self.head["tests_left"]
        if self.head.get("caseless"):
            self.cases.anywhere()
        return list(self.units.found.values())

    def _function(self, unit: Unit, functions: List[Dict[str, Any]]) -> Optional[Left]:
        """Adds a function, or says why it is left out."""
        left = self.filters.of(unit)
        if left is not None:
            return left
        cut = None  # type: Optional[Ranges]
        # Without a case it is dropped anyway.
        if self.slicer is not None and (self.head.get("caseless") or unit.qualname in self.calls):
            kept = self.slicer.reach(first_line(unit.node), self._names(unit))
            if self.head.get("slice") == "minimal":
                cut = self.slicer.cut(kept)
            if self.filters.reaches:
                reached = self.slicer.nodes(kept)
                whole = [node for node in self.module.tree.body if not is_main_guard(node)] if cut is None else reached
                left = self.filters.of_program(unit, whole, reached)
            if left is None and self.head.get("slice") == "minimal":
                size = self.slicer.size(cut)
                self.ranges += len(cut or ())
                if size > self.head["max_bytes"]:
                    left = Left(unit.qualname, first_line(unit.node), "too_long", "%d bytes of program, more than %d" % (size, self.head["max_bytes"]))
                elif self.ranges > _MOST_RANGES:
                    left = Left(unit.qualname, first_line(unit.node), "too_long", "the item is cut to more than %d pieces" % _MOST_RANGES)
            if left is not None:
                return left
        answer = _answer(unit, cut, suffix(self.cases.collector) if needs_helper(unit.node) else "")
        # Without a case, likewise.
        if self.prints is not None and (self.head.get("caseless") or unit.qualname in self.calls):
            answer["fingerprint"] = self.prints.described(unit.node)
        functions.append(answer)
        return None

    def _names(self, unit: Unit) -> Set[str]:
        """What an entry and its calls use: not only what the definition does."""
        names = free_names(unit.entry)
        for call in self.calls.get(unit.qualname, ()):
            names |= free_names(call)
        return names


def _answer(unit: Unit, cut: Optional[Ranges], behind: str) -> Dict[str, Any]:
    doc = ast.get_docstring(unit.node) or ""
    return {
        "name": unit.qualname,
        "entry": unit.entry,
        "start": first_line(unit.node),
        "end": unit.node.end_lineno,
        # A lone surrogate, from an escape, cannot be stored: it stays an escape.
        "doc": doc.encode("utf-8", "backslashreplace").decode("utf-8"),
        "async": isinstance(unit.node, ast.AsyncFunctionDef),
        "generator": is_generator(unit.node),
        "slice": cut,
        "suffix": behind,
    }

"""Slices of the standard library have what they need: each name that they reach is there, as it is in the whole module.

Modules are run, each in a process of its own. TRACEMILL_STDLIB=all takes all of them, which takes minutes.
"""

import builtins
import json
import os
import sysconfig
import unittest
import warnings
from typing import Any, Dict, Iterator, List

from analyzer import slicing
from analyzer.definitions import first_line
from analyzer.expressions import free_names
from analyzer.module import Module
from analyzer.units import Units

ROOT = sysconfig.get_paths()["stdlib"]
SOME = "copy heapq textwrap statistics inspect plistlib http/client json/decoder colorsys fnmatch calendar shlex difflib".split()
# They open windows, print, or are programs.
LEFT = frozenset("antigravity.py this.py __main__.py turtle.py pty.py tty.py idlelib test tests lib2to3 turtledemo tkinter"
                 " site-packages ensurepip msilib distutils __pycache__".split())  # fmt: skip


def everything() -> Iterator[str]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - LEFT)
        for name in sorted(set(names) - LEFT):
            if name.endswith(".py"):
                yield os.path.relpath(os.path.join(folder, name), ROOT)[:-3]


def shape(value: Any) -> str:
    """What is the same of two runs."""
    if isinstance(value, (int, str, bytes, float, type(None))):
        return repr(value)
    if isinstance(value, (dict, list, set, tuple, frozenset)):
        return "%s of %d" % (type(value).__name__, len(value))
    return type(value).__name__


def run(text: str, module: str) -> Dict[str, Any]:
    name = module.replace("/", ".").replace(".__init__", "")
    package = name if module.endswith("__init__") else name.rpartition(".")[0]
    space = {"__name__": name + "_", "__file__": module, "__package__": package, "__builtins__": builtins}  # type: Dict[str, Any]
    exec(compile(text, "<program>", "exec", dont_inherit=True), space)
    return space


def differences(module: str) -> List[str]:
    with open(os.path.join(ROOT, module + ".py"), encoding="utf-8") as stream:
        text = stream.read()
    try:
        whole = run(text, module)
    except BaseException:  # it wants another system
        return []
    parsed = Module(text)
    slicer = slicing.Slicer(text, parsed)
    found = []  # type: List[str]
    done = set()
    for unit in Units(parsed).found.values():
        kept = slicer.reach(first_line(unit.node), free_names(unit.entry))
        cut = slicer.cut(kept)
        if cut is None or kept in done:
            continue
        done.add(kept)
        try:
            space = run(slicing.program(text, cut), module)
        except Exception as error:
            found.append("%s: %s: %r" % (module, unit.entry, error))
            continue
        for name in sorted(slicer.names(kept)):
            if name in whole and not name.startswith("__") and shape(space.get(name)) != shape(whole[name]):
                found.append("%s: %s: %s is %s, not %s" % (module, unit.entry, name, shape(space.get(name)), shape(whole[name])))
    return found


def apart(module: str) -> List[str]:
    """The same in a process of its own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            with os.fdopen(writer, "w") as out:
                json.dump(differences(module), out)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        said = stream.read()
    os.waitpid(pid, 0)
    return json.loads(said) if said else [module + " did not end"]


class StandardLibraryTest(unittest.TestCase):
    def test_slices_have_what_they_need(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for module in everything() if os.environ.get("TRACEMILL_STDLIB") == "all" else SOME:
                with self.subTest(module=module):
                    self.assertEqual(apart(module), [])

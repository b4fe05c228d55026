"""Records a program in a fork of this process, and writes its events as text. No sandbox: only for programs we wrote."""
import mmap
import os
import sys
from typing import Any, Dict, List, Optional

SHIM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if SHIM not in sys.path:
    sys.path.insert(0, SHIM)

import child  # noqa: E402
import pins  # noqa: E402
from client import CONFIG, Trace  # noqa: E402
from render import make_renderer  # noqa: E402
from writer import HEADER  # noqa: E402

FLAGS = (("stop", 1), ("genexit", 2), ("tb", 4), ("foreign", 8), ("bygen", 16), ("collector", 32))
BYTES = 4 << 20


def record(program: str, call: str = "main()", traced: bool = True, wrap: bool = False, budget: Optional[dict] = None,
           events: int = 10000, limit: int = BYTES, pinned: bool = False, check: bool = False, stdin: Optional[str] = None) -> Trace:
    """With stdin the program is run as a script, and not called."""
    memory = mmap.mmap(-1, limit + child.ROOM)
    if stdin is not None:
        case = child.Case(program.encode(), stdin, 1, "<module>", traced, True)
    elif wrap:
        case = child.Case(program.encode(), "def wrapper():\n    return %s\n" % call, program.count("\n") + 2, "wrapper", traced, True)
    else:
        case = child.Case(program.encode(), call, 0, "", traced, True)
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, child.DONE)
            notes = pins.install(7, check) if pinned else set()
            setting = child.prepare(memory=memory, render=make_renderer(budget or CONFIG["budget"]), events=events, limit=limit,
                                    limits=(), cpu=0, uid=-1, scatter=0, notes=notes, home="/")
            child.serve(setting, [b"n" * 16], [case], None)
        finally:
            os._exit(70)
    _, status = os.waitpid(pid, 0)
    trace = Trace(memory[HEADER : HEADER + int.from_bytes(memory[:HEADER], "little")])
    trace.status = status
    return trace


def describe(trace: Trace) -> List[str]:
    lines = []
    for e in trace.events:
        words = ["%-9s %3d %s#%d" % (e.kind, e.line, trace.name_of(e.frame), e.frame)]
        if e.depth >= 0:
            words.append("depth=%d back=%d" % (e.depth, e.back))
        words += [name for name, bit in FLAGS if e.flags & bit]
        if e.value is not None:
            words.append("-> " + e.value)
        if e.changes:
            words.append("| " + ", ".join(name if new is None else "%s=%s" % (name, new) for name, new in e.changes))
        lines.append(" ".join(words))
    if trace.end is None:
        return lines + ["no end"]
    end = trace.end
    words = ["end %d" % end["outcome"]]
    words += ["%s=%s" % (key, end[key]) for key in ("output", "type", "message") if end[key]]
    if end["lost"]:
        words.append("lost")
    if not end["alive"]:
        words.append("not alive")
    words += end["notes"]
    return lines + [" ".join(words)]


def read_sections(path: str) -> Dict[str, List[str]]:
    """Of a golden file: version -> lines. A head line names the versions that agree: [3.8 3.9]."""
    sections: Dict[str, List[str]] = {}
    current: List[str] = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f.read().splitlines():
                if line.startswith("[3."):
                    current = []
                    for version in line.strip("[]").split():
                        sections[version] = current
                else:
                    current.append(line)
    return sections


def write_sections(path: str, sections: Dict[str, List[str]]) -> None:
    groups: Dict[tuple, List[str]] = {}
    for version in sorted(sections, key=lambda v: int(v.split(".")[1])):
        groups.setdefault(tuple(sections[version]), []).append(version)
    with open(path, "w", encoding="utf-8") as f:
        for lines, versions in groups.items():
            f.write("[%s]\n%s\n" % (" ".join(versions), "\n".join(lines)))

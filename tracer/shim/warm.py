"""Running the recorder before the first fork.

From 3.11 on the interpreter rewrites the instructions that run often, in place. Done here it is done once; done in a child, it
would be done in each, on pages that each has to copy.
"""
import mmap
import sys
from typing import Callable

import child

ROUNDS = 20  # code is rewritten when it has run eight times, and then what it meets is
LIMIT = 1 << 16
WRAPPER = "def main():\n    return f(['b', 'a', 'c'], {'k': 1}, 2.5)\n"
PROGRAM = b"""
class C:
    def __init__(self, x):
        self.x = x

def g(xs):
    for x in xs:
        yield x

def f(xs, d, y):
    out = []
    for i, x in enumerate(g(xs)):
        out.append(x * 2)
        d[x] = [i, (x, None, True)]
        s = ''.join(out)
    c = C(out)
    try:
        raise ValueError(s)
    except ValueError as e:
        t = str(e)
    return [z for z in out if z > 'a'], c.x, {1, 2}, t
"""


def up(render: Callable) -> None:
    """Leaves nothing behind but the rewritten code."""
    setting = child.prepare(
        memory=mmap.mmap(-1, LIMIT + child.ROOM), render=render, events=1000, limit=LIMIT, limits=(), cpu=0, uid=-1, scatter=0,
        notes=set(), home="")
    case = child.Case(PROGRAM, WRAPPER, 100, "main", True, False)
    for _ in range(ROUNDS):
        child.execute(setting.renewed(), case, bytes(child.NONCE))
    setting.forks.running = False
    del sys.modules[child.MODULE]

"""What a machine can do without a sandbox: python3 floor.py SHIM (process | fork), with a JSON array of functions on stdin,
each [program, [call, ...]]. Every call is compiled and traced as a sandbox's child would. With fork, each function has a process.
Prints the seconds that it took."""
import json
import mmap
import os
import sys
import time

SHIM, HOW = sys.argv[1:]
sys.path.insert(0, SHIM)

import child  # noqa: E402
from render import make_renderer  # noqa: E402

clock = time.perf_counter
LIMIT = 8 << 20


def main() -> None:
    functions = json.load(sys.stdin)
    setting = child.prepare(
        memory=mmap.mmap(-1, LIMIT + child.ROOM), render=make_renderer({}), events=10_000, limit=LIMIT, limits=(),
        cpu=0, uid=-1, scatter=0, notes=set(), home=os.getcwd())
    null = os.open(os.devnull, os.O_WRONLY)
    begin = clock()
    for program, calls in functions:
        if HOW == "fork":
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
                continue
            os.dup2(null, 1)
        for call in calls:
            wrapper = "def main():\n    return %s\n" % call
            case = child.Case(program.encode(), wrapper, program.count("\n") + 2, "main", True, False)
            setting = setting.renewed()
            child.execute(setting, case, bytes(child.NONCE))
        if HOW == "fork":
            os._exit(0)
    print(clock() - begin)


main()

"""Programs that do not end, or want everything, or attack what runs them: each has its end, and the server goes on."""
import copy
import os
import time
import unittest
from typing import Any

from client import CONFIG, Client, can_isolate

EXITED, SIGNALLED, TIME, OUTPUT, MEMORY = range(5)
RETURNED, RAISED, SYSTEM_EXIT, EVENT_LIMIT, BYTE_LIMIT, UNIMPORTABLE = range(1, 7)
WALL = 1.5
SLACK = float(os.environ.get("LIMIT_SLACK", "20"))  # a hang, not a busy machine, is what this tells

# name: (program with a function f, {what must be})
ENDS = {
    "plain": ("def f(): return 1", dict(end=EXITED, code=0, outcome=RETURNED, output="1")),
    "infinite loop": ("def f():\n    while True:\n        x = 1", dict(end=EXITED, outcome=EVENT_LIMIT)),
    "bare except": ("def f():\n    while True:\n        try:\n            x = sum(range(1000))\n        except: pass",
                    dict(end=EXITED, outcome=EVENT_LIMIT)),
    "loop in C": ("def f(): return sum(range(10**11))", dict(end=TIME, outcome=None)),
    "doubling string": ("def f():\n    s = 'x'\n    while True: s = s + s", dict(end=(EXITED, TIME))),
    "huge list": ("def f(): return [0] * 10**10", dict(outcome=RAISED, type="MemoryError")),
    "print": ("def f():\n    b = 'x' * 10**6\n    for _ in range(10**4): print(b)", dict(end=OUTPUT, outcome=None)),
    "print to stderr": ("import os\ndef f():\n    while 1: os.write(2, b'e' * 4096)", dict(end=OUTPUT, outcome=None)),
    "fork bomb": ("import os\ndef f():\n    while True:\n        try: os.fork()\n        except OSError: pass", dict()),
    "os._exit": ("import os\ndef f(): os._exit(0)", dict(end=EXITED, code=0, outcome=None)),
    "os._exit 3": ("import os\ndef f(): os._exit(3)", dict(end=EXITED, code=3, outcome=None)),
    "sys.exit": ("import sys\ndef f(): sys.exit('x')", dict(end=EXITED, outcome=SYSTEM_EXIT, type="SystemExit", message="x")),
    "settrace": ("import sys\ndef f():\n    sys.settrace(None)\n    return 2", dict(outcome=RETURNED, alive=0)),
    "caught recursion": ("def g(n): return g(n + 1)\ndef f():\n    try: g(0)\n    except RecursionError: x = 1\n    return 5",
                         dict(alive_or_lost=True)),
    "stack overflow": ("import sys\ndef g(n): return g(n + 1)\ndef f():\n    sys.setrecursionlimit(10**8)\n    sys.settrace(None)"
                       "\n    return g(0)", dict(end=(SIGNALLED, EXITED, TIME, MEMORY))),
    "abort": ("import os\ndef f(): os.abort()", dict(end=SIGNALLED, code=6, outcome=None)),
    "close everything": ("import os\ndef f():\n    os.closerange(0, 300)\n    return 3", dict(outcome=RETURNED, output="3")),
    "kill the server": ("import os, signal\ndef f():\n    out = []\n    for pid in (1, os.getppid(), -1):\n        try: os.kill(pid, 0)\n"
                        "        except OSError as e: out.append(e.errno)\n    return out[0]", dict(outcome=RETURNED, output="1")),
    "kill itself": ("import os, signal\ndef f(): os.kill(int(os.readlink('/proc/self')), signal.SIGKILL)", dict(end=SIGNALLED, code=9)),
    "daemon": ("import os, time\ndef f():\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
               "            while True: pass\n        os._exit(0)\n    return 4", dict(outcome=RETURNED, output="4")),
    "grandchild holds the pipes": ("import subprocess\ndef f():\n    subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
                                   "    return 6", dict(outcome=RETURNED, output="6")),
    "files": ("import os\ndef f():\n    os.makedirs('a/b'); open('a/b/c', 'w').write('x'); os.chmod('a', 0)\n"
              "    os.symlink('/etc', 'link'); open('/tmp/t', 'w'); open('/dev/shm/s', 'w')\n    return sorted(os.listdir('.'))",
              dict(outcome=RETURNED, output="['a', 'link']")),
    "files again": ("import os\ndef f(): return os.listdir('.') + os.listdir('/dev/shm')", dict(outcome=RETURNED, output="[]")),
    "deep directories": ("import os\ndef f():\n    for _ in range(900):\n        os.mkdir('d' * 20); os.chdir('d' * 20)\n    return 8",
                         dict(outcome=RETURNED, output="8")),
    "large file": ("def f():\n    with open('big', 'wb') as g:\n        for _ in range(100): g.write(bytes(10**6))", dict(outcome=RAISED, type="OSError")),
    "no rights": ("import os\ndef f():\n    out = []\n    for act in (lambda: os.setuid(0), lambda: open('/proc/1/environ').read(),\n"
                  "                lambda: open('/etc/x', 'w'), lambda: os.listdir('/proc/1/fd')):\n"
                  "        try: out.append(act())\n        except OSError as e: out.append(e.errno)\n    return set(out) <= {1, 13, 30}",
                  dict(outcome=RETURNED, output="True")),
    "forged end": ("def f():\n    print('TMT', end='')\n    import os\n    for fd in range(3, 64):\n"
                   "        try: os.write(fd, b'x')\n        except OSError: pass\n    return 9", dict(outcome=RETURNED, output="9")),
    "hostile compile": ("x = " + "(" * 5000 + ")" * 5000, dict(outcome=(UNIMPORTABLE, None))),
    "nul byte": ("x = 1\0", dict(outcome=UNIMPORTABLE)),
    "module raises": ("1/0", dict(outcome=UNIMPORTABLE, type="ZeroDivisionError")),
    "module exits": ("import sys\nsys.exit(1)", dict(outcome=UNIMPORTABLE, type="SystemExit")),
    "threads": ("import threading\ndef f():\n    t = threading.Thread(target=print)\n    t.start(); t.join()\n    return 1",
                dict(outcome=RETURNED, notes=["threads"])),
    "thread bomb": ("import threading, time\ndef f():\n    while True:\n        try: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
                    "        except RuntimeError: return 'no more'", dict()),
    "hostile stdout": ("import sys\nclass O:\n    def __getattr__(self, name): raise SystemExit(1)\ndef f():\n    sys.stdout = sys.stderr = O()\n"
                       "    return 1", dict(outcome=RETURNED)),
    "exception with a hostile text": ("class E(Exception):\n    def __str__(self): import os; os._exit(9)\n    __repr__ = __str__\n"
                                      "def f(): raise E(1)", dict(outcome=RAISED, type="E", message="1")),
}


@unittest.skipUnless(can_isolate(), "needs root and unshare(1): the server runs in a PID namespace of its own only")
class Limits(unittest.TestCase):
    def test_each_ends_and_the_server_goes_on(self) -> None:
        config = copy.deepcopy(CONFIG)
        config["limits"].update(wall_ms=int(WALL * 1000), cpu_ms=3000, events=2000, memory=64 << 20)
        with Client(config) as client:
            for name, (program, want) in ENDS.items():
                with self.subTest(name):
                    start = time.monotonic()
                    result = client.run(program, "f()")[0]
                    self.assertLess(time.monotonic() - start, WALL + SLACK)
                    self.check(result, want)

    def check(self, result: Any, want: dict) -> None:
        end = result.trace.end
        got = dict(end or {"outcome": None}, end=result.end, code=result.code)
        if end:
            self.assertEqual(end["nonce"], result.nonce)
            self.assertEqual(end["events"], len(result.trace.events))
        for key, value in want.items():
            if key == "alive_or_lost":
                self.assertTrue(end is None or not end["alive"] or end["lost"], got)
            elif isinstance(value, tuple):
                self.assertIn(got[key], value, got)
            else:
                self.assertEqual(got.get(key), value, (got, result.stderr[-300:]))

    def test_end_of_input_ends_the_server(self) -> None:
        client = Client()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(10), 0)
        client.process.stdout.close()


if __name__ == "__main__":
    unittest.main()

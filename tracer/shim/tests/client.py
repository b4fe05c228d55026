"""Drives a server in a PID namespace of its own, and decodes what it answers."""
import json
import os
import shutil
import subprocess
import sys
import time
from typing import Any, Dict, List, NamedTuple, Optional

SHIM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = ("", "call", "resume", "line", "return", "yield", "unwind", "exception")
CONFIG: Dict[str, Any] = {
    "limits": {"events": 10000, "bytes": 8 << 20, "wall_ms": 10000, "cpu_ms": 5000, "memory": 512 << 20, "output": 1 << 20,
               "file": 16 << 20, "processes": 16},
    "budget": {"mode": "repr", "depth": 8, "items": 200, "chars": 1000, "value_chars": 2000, "nodes": 1000,
               "digest_bytes": 65536},
    "seed": 0, "check": False,
}


ISOLATE = ["unshare", "--net", "--ipc", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# The interpreter and the shim where any user can read them, and file systems that go away with the namespace.
SCRIPT = """
mount --bind "$1" /mnt
mount --bind "$2" /media
mount -t tmpfs -o size=64m tmpfs /tmp
mount -t tmpfs -o size=64m tmpfs /dev/shm
cd /
exec /mnt/bin/python3 -S -s -B -X utf8 /media/server.py
"""


def can_isolate() -> bool:
    """Whether this machine lets us make namespaces: the server runs nowhere else."""
    return os.geteuid() == 0 and shutil.which("unshare") is not None and subprocess.call(
        ISOLATE + ["true"], stderr=subprocess.DEVNULL) == 0


def sys_prefix(python: str) -> str:
    return subprocess.check_output([python, "-S", "-c", "import sys; print(sys.base_prefix)"], text=True).strip()


def uvarint(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


class Reader:
    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        n = shift = 0
        while True:
            b = self.byte()
            n |= (b & 127) << shift
            if b < 128:
                return n
            shift += 7

    def fixed(self, size: int) -> bytes:
        if self.at + size > len(self.data):
            raise IndexError("short")
        self.at += size
        return self.data[self.at - size:self.at]

    def bytes(self) -> bytes:
        return self.fixed(self.number())

    def str(self) -> str:
        return self.bytes().decode("utf-8")


class Event(NamedTuple):
    kind: str
    flags: int
    frame: int
    line: int
    depth: int
    back: int
    value: Optional[str]
    changes: List[tuple]


class Trace:
    def __init__(self, data: bytes) -> None:
        assert data[:4] == b"TMT\x01", data[:4]
        self.codes: List[tuple] = []
        self.frames: List[int] = []
        self.events: List[Event] = []
        self.end: Optional[Dict[str, Any]] = None
        names: List[str] = []
        values: List[str] = []
        r = Reader(data, 4)
        while r.at < len(data):
            tag = r.byte()
            if tag == 1:
                self.codes.append((r.str(), r.number(), r.byte()))
            elif tag == 2:
                names.append(r.str())
            elif tag == 3:
                cut = r.byte()
                values.append(r.str())
                assert cut in (0, 1)
            elif 0x11 <= tag <= 0x17:
                kind = KINDS[tag - 0x10]
                flags, frame, line, depth, back, value = r.byte(), r.number(), r.number(), -1, -1, None
                if kind in ("call", "resume"):
                    depth, back = r.number(), r.number() - 1
                    if kind == "call":
                        assert frame == len(self.frames)
                        self.frames.append(r.number())
                elif kind in ("return", "yield", "exception"):
                    value = values[r.number()]
                changes = []
                for _ in range(r.number()):
                    name, new = names[r.number()], r.number()
                    changes.append((name, values[new - 1] if new else None))
                self.events.append(Event(kind, flags, frame, line, depth, back, value, changes))
            elif tag == 0x7F:
                end = {"outcome": r.byte(), "events": r.number(), "lost": r.number(), "alive": r.byte()}
                output = r.number()
                end["output"] = values[output - 1] if output else None
                end["type"], end["message"], end["arguments"] = r.str(), r.str(), r.str()
                end["notes"] = [r.str() for _ in range(r.number())]
                end["nonce"] = r.fixed(16)
                self.end = end
            else:
                raise ValueError("tag %#x at %d" % (tag, r.at - 1))

    def name_of(self, frame: int) -> str:
        return self.codes[self.frames[frame]][0]


class Result:
    def __init__(self, data: bytes) -> None:
        r = Reader(data, 1)
        self.job, self.case, self.end, self.code = r.number(), r.number(), r.byte(), r.number()
        self.stdout_total, self.stdout = r.number(), r.bytes()
        self.stderr_total, self.stderr = r.number(), r.bytes()
        self.nonce = r.fixed(16)
        raw = r.bytes()
        assert r.at == len(data)
        self.trace = Trace(raw)
        self.raw = raw


class Client:
    def __init__(self, config: Optional[Dict[str, Any]] = None, python: str = sys.executable, hash_seed: str = "0") -> None:
        self.process = subprocess.Popen(
            ISOLATE + ["sh", "-ec", SCRIPT, "sh", sys_prefix(python), SHIM],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={"PYTHONHASHSEED": hash_seed, "LC_ALL": "C.UTF-8", "LD_BIND_NOW": "1", "PATH": os.environ["PATH"]})
        self.send(b"C\x01" + json.dumps(config or CONFIG).encode())
        try:
            hello = self.receive()
        except EOFError:
            self.close()
            raise
        assert hello[:2] == b"H\x01"
        self.hello = json.loads(hello[2:])

    def send(self, payload: bytes) -> None:
        self.process.stdin.write(len(payload).to_bytes(4, "little") + payload)
        self.process.stdin.flush()

    def receive(self) -> bytes:
        head = self.process.stdout.read(4)
        if len(head) < 4:
            raise EOFError("the server ended: %s" % self.process.wait())
        return self.process.stdout.read(int.from_bytes(head, "little"))

    def run(self, program: str, calls: Any, wrap: bool = True, traced: bool = True) -> List[Result]:
        calls = [calls] if isinstance(calls, str) else calls
        line = program.count("\n") + 2
        return self.job(program, [("def main():\n    return %s\n" % call, line, "main") if wrap else (call, 0, "") for call in calls],
                        0 if traced else 1)

    def script(self, program: str, inputs: List[str], mode: int = 0) -> List[Result]:
        """Run a program with each of the inputs; the mode is docs/wire.md's."""
        return self.job(program, [(text, 1, "<module>") for text in inputs], mode)

    def job(self, program: str, cases: List[tuple], mode: int) -> List[Result]:
        raw = program.encode()
        body = b"J" + uvarint(7) + bytes((mode,)) + uvarint(len(raw)) + raw + uvarint(len(cases))
        for wrapper, line, entry in cases:
            body += uvarint(len(wrapper.encode())) + wrapper.encode() + uvarint(line) + uvarint(len(entry)) + entry.encode()
        self.send(body)
        return [Result(self.receive()) for _ in cases]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def bench(path: str, count: int) -> None:
    """python3 client.py CASES.jsonl N: executions a second."""
    with open(path) as f:
        rows = [json.loads(line) for line in f][:count]
    with Client() as client:
        start = time.monotonic()
        events = 0
        for row in rows:
            r = client.run(row["code"], "f(%s)" % row["input"])[0]
            events += len(r.trace.events)
            if r.trace.end["output"] != repr(eval(row["output"])):
                print(row["id"], r.trace.end, row["output"])
        took = time.monotonic() - start
        print("%s: %d executions, %d events, %.0f/s, CPU of server and children: see time" % (
            client.hello["version"], len(rows), events, len(rows) / took))


if __name__ == "__main__":
    bench(sys.argv[1], int(sys.argv[2]))

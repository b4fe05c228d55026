"""The pinned world: the same in two runs, moved in a check, and with the interpreter's own types."""
import unittest

from fixture import record

PROGRAM = """
import datetime, os, random, secrets, time, uuid

def main():
    now = datetime.datetime.now()
    assert type(now) is datetime.datetime and isinstance(datetime.datetime.now(datetime.timezone.utc), datetime.datetime)
    assert repr(now).startswith("datetime.datetime(20"), now
    assert datetime.date.today() == now.date() == datetime.datetime.utcnow().date()
    before = time.monotonic()
    time.sleep(1000)
    assert 1000 < time.monotonic() - before < 1001
    return %s
"""
SAME = "random.random(), random.Random().random(), secrets.token_hex(4), os.urandom(3), uuid.uuid4(), os.getuid(), os.uname()[1]"
MOVED = "time.time(), time.ctime(), os.getpid(), uuid.uuid1(), datetime.datetime.now()"


class Pins(unittest.TestCase):
    def output(self, expression: str, check: bool = False) -> str:
        trace = record(PROGRAM % expression, pinned=True, check=check)
        self.assertIsNotNone(trace.end)
        self.assertEqual(trace.end["outcome"], 1, trace.end)
        return trace.end["output"]

    def test_runs_are_alike(self) -> None:
        for expression in (SAME, MOVED):
            self.assertEqual(self.output(expression), self.output(expression))

    def test_a_check_moves_the_clock_and_the_process_only(self) -> None:
        self.assertEqual(self.output(SAME), self.output(SAME, check=True))
        for part in MOVED.split(", "):
            self.assertNotEqual(self.output(part), self.output(part, check=True), part)

    def test_notes(self) -> None:
        for call, notes in (("len('')", []), ("time.time()", ["clock"]), ("os.urandom(1)", ["entropy"]),
                            ("random.Random()", ["entropy"]), ("random.random()", []),
                            ("__import__('_thread').start_new_thread(len, ('',))", ["threads"])):
            trace = record("import os, random, time\ndef main():\n    x = %s\n" % call, pinned=True)
            self.assertEqual(trace.end["notes"], notes, call)

    def test_an_event_loop_does_not_wait(self) -> None:
        trace = record("import asyncio\nasync def f():\n    await asyncio.sleep(500)\n    return 1\n"
                       "def main():\n    return asyncio.run(f())\n", pinned=True)
        self.assertEqual(trace.end["output"], "1", trace.end)


if __name__ == "__main__":
    unittest.main()

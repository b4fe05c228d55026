"""Event streams: programs/NAME.py against programs/NAME.events, which has a section for each group of interpreter versions
that agree. A program that has a NAME.stdin is run as a script, with that on its standard input; of others main() is called. UPDATE=1
writes the section of the interpreter that runs."""
import glob
import os
import sys
import unittest
from typing import Optional

from fixture import describe, read_sections, record, write_sections

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
VERSION = "%d.%d" % sys.version_info[:2]


def read(path: str) -> Optional[str]:
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


class Events(unittest.TestCase):
    maxDiff = None

    def test_programs(self) -> None:
        paths = sorted(glob.glob(os.path.join(HERE, "*.py")))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(os.path.basename(path)):
                with open(path, encoding="utf-8") as f:
                    program = f.read()
                need = program.partition("# requires: 3.")[2].partition("\n")[0]
                if need and sys.version_info[1] < int(need):
                    continue
                got = describe(record(program, stdin=read(path[:-3] + ".stdin")))
                golden = path[:-3] + ".events"
                sections = read_sections(golden)
                if os.environ.get("UPDATE"):
                    sections[VERSION] = got
                    write_sections(golden, sections)
                want = sections.get(VERSION)
                if want is None:
                    continue  # a version that nobody has looked at
                self.assertEqual("\n".join(want), "\n".join(got))


if __name__ == "__main__":
    unittest.main()

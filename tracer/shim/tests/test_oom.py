"""The kernel's counts of what it killed for memory, as both versions of control groups show them."""
import os
import tempfile
import unittest
from unittest import mock

import fixture  # noqa: F401: finds the shim
import oom


class Kernel(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.paths = [os.path.join(directory.name, name) for name in ("memory.events", "memory.oom_control")]
        patch = mock.patch.object(oom, "COUNTS", tuple(self.paths))
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, which: int, text: str) -> None:
        with open(self.paths[which], "w") as f:
            f.write(text)

    def test_both_versions(self) -> None:
        for which, text in enumerate(("low 0\nhigh 0\nmax 7\noom 1\noom_kill %d\noom_group_kill 0\n",
                                      "oom_kill_disable 0\nunder_oom 0\noom_kill %d\n")):
            self.write(which, text % 3)
            kernel = oom.Kernel()
            kernel.mark()
            self.assertFalse(kernel.killed())
            self.write(which, text % 5)
            self.assertTrue(kernel.killed())
            kernel.mark()
            self.assertFalse(kernel.killed(), "that was the execution before")
            os.remove(self.paths[which])

    def test_without_counts(self) -> None:
        self.assertFalse(oom.Kernel().killed())
        self.write(1, "oom_kill_disable 0\nunder_oom 0\n")  # before Linux 4.13
        self.assertFalse(oom.Kernel().killed())


if __name__ == "__main__":
    unittest.main()

"""Frames, and what is there of them."""
import os
import unittest

import fixture  # noqa: F401: finds the shim
from channel import Source


class Ahead(unittest.TestCase):
    def setUp(self) -> None:
        fd, self.fd = os.pipe()
        self.addCleanup(os.close, fd)
        self.source = Source(fd)

    def test_nothing_less_than_a_frame(self) -> None:
        sent = b"\x03\x00\x00\x00abc"
        for at in range(len(sent)):
            self.assertEqual(self.source.ahead(), b"", sent[:at])
            os.write(self.fd, sent[at : at + 1])
        self.assertEqual(self.source.ahead(), b"abc")
        self.assertEqual(self.source.ahead(), b"")
        self.assertFalse(self.source.ready())

    def test_one_of_several(self) -> None:
        os.write(self.fd, b"\x01\x00\x00\x00a\x01\x00\x00\x00b\x02\x00\x00\x00c")
        self.assertEqual([self.source.ahead() for _ in range(3)], [b"a", b"b", b""])
        self.assertTrue(self.source.ready())
        os.write(self.fd, b"d")
        self.assertEqual(self.source.frame(), b"cd")

    def test_the_end_is_left_to_who_waits(self) -> None:
        os.close(self.fd)
        self.assertEqual(self.source.ahead(), b"")
        self.assertTrue(self.source.ready())


if __name__ == "__main__":
    unittest.main()

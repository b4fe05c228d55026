"""Tests of notebooks as programs."""

import json
import unittest
from typing import Any, List

from analyzer import notebook
from analyzer.source import Rejected


def made(*cells: Any, **metadata: Any) -> bytes:
    found = [cell if isinstance(cell, dict) else {"cell_type": "code", "source": cell} for cell in cells]
    return json.dumps({"cells": found, "metadata": metadata, "nbformat": 4}).encode("utf-8")


class NotebookTest(unittest.TestCase):
    def test_cells(self) -> None:
        for cells, program, left, magics in [
            (["x = 1", {"cell_type": "markdown", "source": "# x"}, ["def f():\n", "    return x\n"]], "x = 1\n\ndef f():\n    return x\n", 0, 0),
            (["%matplotlib inline\nx = 1\n!ls -l\nhelp?\n?help\nfiles = !ls\ny = %sql select"], "\nx = 1\n", 0, 6),
            (["for i in x:\n    !echo {i}\n    %run y\n"], "for i in x:\n    pass\n    pass\n", 0, 2),
            (["s = '''\n%time\n!ls\n'''\nz = (7\n%z)"], "s = '''\n%time\n!ls\n'''\nz = (7\n%z)\n", 0, 0),
            (["%%time\nx = 1", "%%bash\nls", "x = 1"], "\nx = 1\n\nx = 1\n", 1, 1),
            (["print 'old'", "x = 1\r\ny = 2\r\n", ""], "x = 1\ny = 2\n", 1, 0),
            (["await f()", "return 1", "x = '\u00e9'"], "x = '\u00e9'\n", 2, 0),
        ]:  # type: ignore[misc]
            with self.subTest(cells):
                got = notebook.read(made(*cells))
                self.assertEqual((got.program, got.left, got.magics), (program, left, magics))

    def test_versions(self) -> None:
        old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n"], "language": "python"}]}], "metadata": {}, "nbformat": 3}
        self.assertEqual(notebook.read(json.dumps(old).encode()).program, "x = 1\n")
        self.assertEqual(notebook.read(b"\xef\xbb\xbf" + made("x = 1", kernelspec={"language": "python"})).program, "x = 1\n")

    def test_rejected(self) -> None:
        cases = [
            (b"", "bad_notebook"), (b"[]", "bad_notebook"), (b"{}", "bad_notebook"), (b"\xff", "bad_notebook"), (b'{"cells": 1}', "bad_notebook"),
            (b'{"cells": [{"cell_type": "code"}]}', "bad_notebook"), (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "bad_notebook"),
            (b"[" * 100000, "bad_notebook"), (made("1", language_info={"name": "julia"}), "other_language"), (made("  "), "no_function"),
            (made("let x = 1", "%%html\n<b>"), "syntax_error"), (made("x = '\\ud800\ud800'"), "encoding"), (made("x\0"), "null_bytes"),
        ]
        for raw, reason in cases:
            with self.subTest(raw[:50]):
                with self.assertRaises(Rejected) as caught:
                    notebook.read(raw)
                self.assertEqual(caught.exception.reason, reason)

    def test_many_magics(self) -> None:
        lines = ["!ls"] * 1000  # type: List[str]
        with self.assertRaises(Rejected):
            notebook.read(made("\n".join(lines)))


if __name__ == "__main__":
    unittest.main()

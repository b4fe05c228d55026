"""A notebook as one program: the code of its cells in order, without what only IPython understands.

https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
import re
import warnings
from typing import Any, Dict, List, NamedTuple, Tuple

from analyzer.source import Rejected, normal

# What a cell may begin with and still hold Python: the rest of it is timed, captured or so.
_CELL_OF_PYTHON = re.compile(r"%%(?:time|timeit|capture|prun|python3?)\b")
_MAGIC = re.compile(
    r"""^\s*(?:%{1,2}[A-Za-z_]     # %matplotlib inline
      | !{1,2}\S                   # !pip install x
      | \?{1,2}[A-Za-z_]           # ?help
      | [\w.]+\s*=\s*(?:!|%[A-Za-z_])  # files = !ls
      | [\w.]+\?{1,2}\s*$          # help?
    )""",
    re.VERBOSE,
)
_MOST_MAGICS = 200  # of a cell: each costs a parse


class Notebook(NamedTuple):
    program: str
    cells: int  # of code that is not blank
    left: int  # of these, those that are no Python
    magics: int  # lines that were blanked


def read(raw: bytes) -> Notebook:
    try:
        document = json.loads(raw.decode("utf-8-sig"))
        cells = _cells(document)
        language = _language(document)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise Rejected("bad_notebook", "%s: %s" % (type(error).__name__, error))
    if language.lower() not in ("python", "python3", "ipython", ""):
        raise Rejected("other_language", "its cells are in %s" % language)
    texts = [normal(text) for text in cells]
    texts = [text for text in texts if text.strip()]
    if not texts:
        raise Rejected("no_function", "no cell of code")
    kept, magics = [], 0  # type: List[str], int
    for text in texts:
        python, blanked, works = _python(text)
        if works:
            kept.append(python.rstrip("\n") + "\n")
            magics += blanked
    if not kept:
        raise Rejected("syntax_error", "none of %d cells is Python" % len(texts))
    return Notebook("\n".join(kept), len(texts), len(texts) - len(kept), magics)


def _cells(document: Dict[str, Any]) -> List[str]:
    sheets = [document] if "cells" in document else document["worksheets"]  # before version 4
    found = []
    for sheet in sheets:
        for cell in sheet["cells"]:
            if cell["cell_type"] == "code":
                text = cell["source"] if "source" in cell else cell["input"]
                found.append(text if isinstance(text, str) else "".join(text))
    return found


def _language(document: Dict[str, Any]) -> str:
    metadata = document.get("metadata") or {}
    for of, key in (("language_info", "name"), ("kernelspec", "language")):
        name = (metadata.get(of) or {}).get(key)
        if name:
            return str(name)
    return ""


def _python(text: str) -> Tuple[str, int, bool]:
    """A cell's Python, how many lines of it were blanked, and whether it compiles then. A line is only blanked where the
    parser stops at it: a line of a string may look like a magic."""
    lines = text.split("\n")
    magics = 0
    if lines[0].startswith("%%"):
        if not _CELL_OF_PYTHON.match(lines[0]):
            return "", 0, False
        lines[0] = ""
        magics = 1
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile("\n".join(lines), "<cell>", "exec", dont_inherit=True)
            return "\n".join(lines), magics, True
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not _MAGIC.match(lines[at]) or magics > _MOST_MAGICS:
                return "", magics, False
        except (ValueError, OverflowError, RecursionError, MemoryError):
            return "", magics, False
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines[at] = indent + "pass" if indent else ""
        magics += 1

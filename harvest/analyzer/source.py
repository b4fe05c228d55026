"""From the bytes of a file to the program that the interpreter would read, or the reason why there is none."""

import io
import re
import sys
import tokenize
import warnings
from typing import Optional


class Rejected(Exception):
    """The item is dropped: `reason` is one of harvest's reasons, `detail` is for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def decode(raw: bytes) -> str:
    """The text of a source file: byte order mark and coding cookie obeyed, lines ended by \\n."""
    if b"\0" in raw:
        raise Rejected("null_bytes", "null byte at offset %d" % raw.index(b"\0"))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).readline)
        text = raw.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:
        raise Rejected("encoding", str(error))
    if not isinstance(text, str):
        raise Rejected("encoding", "%s is not a text encoding" % encoding)
    return normal(text)


def normal(text: str) -> str:
    """Text as the interpreter reads it: no byte order mark, lines ended by \\n. It must be storable as UTF-8."""
    if text.startswith("\ufeff"):
        text = text[1:]
    if "\0" in text:
        raise Rejected("null_bytes", "null character at offset %d" % text.index("\0"))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Rejected("encoding", "a lone surrogate at offset %d" % error.start)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def gate(program: str) -> None:
    """Lets a program pass if it compiles: ast.parse takes some, such as a return outside a function, that do not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(program, "<program>", "exec", dont_inherit=True)
        except SyntaxError as error:
            raise Rejected(_language(program, error), _describe(error))
        except (ValueError, OverflowError) as error:  # a number of too many digits; a constant out of range
            raise Rejected("syntax_error", "%s: %s" % (type(error).__name__, error))


def _describe(error: SyntaxError) -> str:
    where = "line %d: " % error.lineno if error.lineno else ""
    return "%s%s: %s" % (where, type(error).__name__, error.msg)


_PYTHON2_MESSAGES = re.compile(
    r"Missing parentheses in call to '(print|exec)'|leading zeros in decimal|invalid token|invalid octal"
    r"|multiple exception types must be parenthesized|inconsistent use of tabs"
)
_PYTHON2_LINE = re.compile(
    r"""^\s*(?:.*:\s*)?print\s*(?:>>\s*\w|["'\w`%])   # print "x", print x, print >>f, x
      | ^\s*(?:.*:\s*)?exec\s+["'\w]                  # exec "x"
      | \bexcept\s+[\w.()\s,]+,\s*\w+\s*:             # except E, e:
      | ^\s*raise\s+[\w.]+\s*,                        # raise E, "x"
      | `[^`]+`                                       # backticks
      | <>                                            # not equal
      | \b0[0-7]+[lL]?\b                              # 0777
      | \b\d+[lL]\b                                   # 10L
      | \b[uU][rR]["']                                # ur"x"
      | \basync\b(?!\s+(?:def|with|for)\b)            # async as a name
      | \bdef\s+\w+\s*\([^)]*\(\s*\w+\s*,             # def f((a, b)):
    """,
    re.VERBOSE,
)


# The grammar of later versions, by what the line has that an older interpreter stumbles over.
_NEWER = (
    ((3, 9), re.compile(r"^\s*@(?:\(|\w[\w.]*\[|\w[\w.]*\([^)]*\)[.\[(])|^\s*(?:async\s+)?with\s*\(")),
    ((3, 10), re.compile(r"^\s*match\s+[^=]*:\s*(?:#.*)?$|^\s*case\s+[^=]*:")),
    ((3, 11), re.compile(r"^\s*except\s*\*|\[\s*\*\w")),
    ((3, 12), re.compile(r"""^\s*type\s+\w+\s*(?:=|\[)|^\s*(?:async\s+)?(?:def|class)\s+\w+\[|\bf(["'])[^"']*\{[^}"']*\1[^}]*\}""")),
    ((3, 13), re.compile(r"^\s*(?:type|(?:async\s+)?def|class)\s+\w+\[[^\]]*=")),
    ((3, 14), re.compile(r"""\b[tT][rR]?["']|\b[rR][tT]["']""")),
)


def _language(program: str, error: SyntaxError) -> str:
    """Tells other languages of the name from a plain mistake, by the message and by the line that it is about."""
    if isinstance(error, TabError) or _PYTHON2_MESSAGES.search(error.msg or ""):
        return "python2"
    line = _line(program, error.lineno)
    if line is None:
        return "syntax_error"
    if any(sys.version_info < version and pattern.search(line) for version, pattern in _NEWER):
        return "newer_syntax"
    return "python2" if _PYTHON2_LINE.search(line) else "syntax_error"


def _line(program: str, number: Optional[int]) -> Optional[str]:
    lines = program.split("\n")
    return lines[number - 1] if number and number <= len(lines) else None

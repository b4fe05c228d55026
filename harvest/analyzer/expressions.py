"""Expressions on their own: whether they compile, what they need, and how to name them in a message."""

import ast
import symtable
import warnings
from typing import Set

# What parsing and compiling raise for an expression that is no good, or too much: it costs only the case.
UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def free_names(call: str) -> Set[str]:
    """The names that an expression takes from its surroundings."""
    expression(call)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tables = [symtable.symtable(call, "<call>", "eval")]
    names = set()  # type: Set[str]
    top = tables[0]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        for symbol in table.get_symbols():
            outside = symbol.is_global() if table is not top else not symbol.is_assigned()
            if symbol.is_referenced() and outside:
                names.add(symbol.get_name())
    return names - {"__debug__"}


def expression(call: str) -> ast.AST:
    call.encode("utf-8")  # a lone surrogate, from an escape in a docstring, cannot be stored
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(call, "<call>", "eval", dont_inherit=True)
        return ast.parse(call, mode="eval").body


def closes(call: str, node: ast.AST) -> bool:
    """Whether an expression reaches to the last character: no comment of the input hides the call's own bracket."""
    lines = call.split("\n")
    last = len(lines[-1].encode("utf-8"))
    return (node.end_lineno, node.end_col_offset) == (len(lines), last)  # type: ignore[attr-defined]


def is_literal(text: str) -> bool:
    if not text:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.literal_eval(text)
            text.encode("utf-8")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def one_line(text: str) -> str:
    """An expression over several lines as one, where that is the same expression."""
    if "\n" not in text:
        return text
    joined = " ".join(line.strip() for line in text.split("\n")).replace("( ", "(").replace(" )", ")")
    return joined if ast.dump(expression(joined)) == ast.dump(expression(text)) else text


def short(call: str) -> str:
    """A call for people. One that is cut ends with a quote, if it has any: half of a secret is not seen to be one, and secrets are in literals."""
    text = " ".join(call.split()).encode("utf-8", "backslashreplace").decode("utf-8")
    if len(text) <= 120:
        return text
    head = text[:117]
    return (head[:max(head.rfind("'"), head.rfind('"')) + 1] or head) + "..."


def message(call: str, error: Exception) -> str:
    return "%s: %s" % (short(call), error.msg if isinstance(error, SyntaxError) else error)

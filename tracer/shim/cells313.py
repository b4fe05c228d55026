"""Where reading f_locals would crash CPython 3.13.0 (gh-128396), and a way to read the locals there.

In a function where a name is a closure cell and also the variable of an inlined comprehension, f_locals takes the raw value
in the name's slot for a cell while the comprehension runs. Such a comprehension clears the slot with LOAD_FAST_AND_CLEAR
and restores it with a STORE_FAST, on its way out and in its exception handler; in between the name is left out.
"""
from opcode import opmap
from typing import Any, Dict, Iterator, List, Tuple

_CLEAR = opmap.get("LOAD_FAST_AND_CLEAR", -1)
_EXTENDED = opmap.get("EXTENDED_ARG", -1)
_STORES = frozenset(opmap[name] for name in opmap if name.startswith("STORE_FAST"))
_PAIRS = frozenset(opmap[name] for name in ("STORE_FAST_STORE_FAST", "STORE_FAST_LOAD_FAST") if name in opmap)
_END = 1 << 30

Span = Tuple[int, int]


def spans(code: Any) -> Dict[str, List[Span]]:
    """For each name that is unsafe somewhere, the ranges of f_lasti where it is."""
    cells = frozenset(code.co_cellvars + code.co_freevars)
    found: Dict[str, List[Span]] = {}
    if not cells or _CLEAR not in code.co_code[::2]:
        return found
    instructions = list(_instructions(code))
    table = list(_exception_table(code.co_exceptiontable))
    for offset, op, names in instructions:
        if op != _CLEAR or names[0] not in cells:
            continue
        ranges = found.setdefault(names[0], [])
        inner = min((entry for entry in table if entry[0] > offset), default=None)
        if inner is None:
            ranges.append((offset, _END))
            continue
        _, end, handler = inner
        ranges.append((offset, _restored(instructions, names[0], end)))
        ranges.append((handler, _restored(instructions, names[0], handler)))
    return found


def _restored(instructions: List[Tuple[int, int, Tuple[str, ...]]], name: str, start: int) -> int:
    for offset, op, names in instructions:
        if offset >= start and op in _STORES and name in names:
            return offset + 1
    return _END


def _instructions(code: Any) -> Iterator[Tuple[int, int, Tuple[str, ...]]]:
    """Offset, operation and variables of what loads, clears and stores variables."""
    raw, name_of = code.co_code, code._varname_from_oparg
    high = 0
    for offset in range(0, len(raw), 2):
        op, arg = raw[offset], raw[offset + 1] | high
        high = arg << 8 if op == _EXTENDED else 0
        if op in _PAIRS:
            yield offset, op, (name_of(arg >> 4), name_of(arg & 15))
        elif op == _CLEAR or op in _STORES:
            yield offset, op, (name_of(arg),)


def _exception_table(raw: bytes) -> Iterator[Tuple[int, int, int]]:
    """Start, end and handler of each entry: numbers of six bits a byte, the most significant first."""
    numbers, n = [], 0
    for byte in raw:
        n = n << 6 | byte & 63
        if not byte & 64:
            numbers.append(n)
            n = 0
    for at in range(0, len(numbers) - 3, 4):
        start, length, handler = numbers[at : at + 3]
        yield 2 * start, 2 * (start + length), 2 * handler


def read_around(frame: Any, unsafe: Dict[str, List[Span]]) -> List[Tuple[str, Any]]:
    """The locals of a frame, but for the names that it is not safe to read where the frame is."""
    at = frame.f_lasti
    skipped = {name for name, ranges in unsafe.items() if any(first <= at < end for first, end in ranges)}
    names = frame.f_locals
    if not skipped:
        return names.items()
    code = frame.f_code
    pairs = []
    for name in dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars):
        if name not in skipped:
            try:
                pairs.append((name, names[name]))
            except KeyError:
                pass
    return pairs

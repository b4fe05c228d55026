"""Text of values, without running any code of the program that owns them, at a cost bounded by a budget.

make_renderer(budget) gives a function from an object to its text and whether anything of it was cut. What comes
out, and why each budget has the default it has, is described in docs/values.md.

Everything is decided by type(x) and read through C functions bound here at import, so neither __repr__, __eq__,
__hash__, __len__, __iter__, __getattribute__, a metaclass, nor a builtin replaced by the program is ever met. A
renderer keeps no reference to anything it has seen. It is not reentrant: one renderer, one thread.

MemoryError and RecursionError are passed on: the caller's stack or memory is at its end, and a text that depends on
that would not be the value's.
"""
from itertools import islice
from sys import getsizeof
from typing import Any, Callable, Dict, List, Mapping, Tuple

from render_atoms import ATOM_IDS, CONSTANT_REPR, all_atoms, atom_key, decimal_text
from render_budget import settle
from render_digest import MEMBER_BYTES, make_digest
from render_instances import describe
from render_names import BUILTINS, Inner, type_name

__builtins__ = BUILTINS

_int_repr, _str_repr, _bytes_repr = int.__repr__, str.__repr__, bytes.__repr__
_Renderer = Callable[[object], Tuple[str, bool]]

SAFE_DIGITS = 640  # no program can set the interpreter's limit for int to text lower
MAX_DIGITS = 4300  # the interpreter's own limit; its conversion takes quadratic time
SMALL_INT = 10**18
COMPOUND_WEIGHT = 64  # of one list, tuple or dict in the cost that is compared before the C repr is called
SMALL_BYTES = 300  # an int of this sys.getsizeof has fewer than SAFE_DIGITS digits

_SIMPLE_IDS = ATOM_IDS.union(map(id, (list, tuple, dict)))
_NAMELESS = frozenset(map(id, (type(None), type(Ellipsis), type(NotImplemented))))  # in typed mode

# exact type: (kind, brackets, what a cycle looks like)
_KINDS = {
    id(list): ("list", "[", "]", "[...]"),
    id(tuple): ("tuple", "(", ")", "(...)"),
    id(dict): ("dict", "{", "}", "{...}"),
    id(set): ("set", "{", "}", "set(...)"),
    id(frozenset): ("frozenset", "{", "}", "frozenset(...)"),
}
_BRACKETS = {kind: (opening, closing) for kind, opening, closing, _ in _KINDS.values()}
_ITER = {"list": list.__iter__, "tuple": tuple.__iter__, "dict": dict.items, "set": set.__iter__,
         "frozenset": frozenset.__iter__}  # type: Dict[str, Any]
_LEN = {"list": list.__len__, "tuple": tuple.__len__, "dict": dict.__len__, "set": set.__len__,
        "frozenset": frozenset.__len__}  # type: Dict[str, Any]
_EXACT = {"list": list, "tuple": tuple, "dict": dict}
_C_REPR = {"list": list.__repr__, "tuple": tuple.__repr__, "dict": dict.__repr__}  # type: Dict[str, Any]


def make_renderer(budget: Mapping[str, Any]) -> _Renderer:
    """A renderer: object -> (text, whether the budget cut it)."""
    whole = settle(budget)
    depth, items, chars, value_chars = whole["depth"], whole["items"], whole["chars"], whole["value_chars"]
    nodes, typed = whole["nodes"], whole["mode"] == "typed"
    scan = max(items, whole["digest_bytes"] // MEMBER_BYTES)
    digests = make_digest(whole["digest_bytes"])
    small = min(SMALL_BYTES, chars + 33)  # sys.getsizeof of bytes is 33 and their number, of str more
    sure = min(chars, value_chars // 10 - 1)  # a str this short fits: no character takes more than ten
    heavy = min(16 * value_chars, COMPOUND_WEIGHT * nodes)
    most = max(items, chars)  # members, characters and bytes that are read of what is no exact builtin

    out = []  # type: List[str]
    active = {}  # type: Dict[int, str]
    labels = {}  # type: Dict[int, int]
    held = []  # type: List[object]
    push = out.append
    room = left = 0
    cut = False

    def marker(more: int, name: str, n: int, digest: str) -> str:
        nonlocal cut
        cut = True
        return "<... %d more, %s of %d%s>" % (more, name, n, digest)

    def write(text: str) -> None:
        nonlocal room
        room -= len(text)
        push(text)

    def quoted(x: Any, quote: Callable[[Any], str], name: str, digest: Callable[[Any], str],
               total: int = -1) -> str:
        """An exact str or bytes, or the beginning of one of a length of total; a part of it when it is longer than
        chars or than what is left."""
        nonlocal room
        n = len(x) if total < 0 else total
        keep = max(min(n, chars, room), 0)
        text = quote(x if keep == n else x[:keep])
        while keep and len(text) > room + 3:
            keep //= 2
            text = quote(x[:keep])
        if keep < n:
            text += marker(n - keep, name, n, digest(x) if len(x) == n else "")
            if keep < chars:
                room = 0  # the value's room ended it: nothing may follow, or the order of a set would show
        return text

    def number(x: int) -> str:
        nonlocal cut, room
        if -SMALL_INT < x < SMALL_INT:
            return _int_repr(x)
        bits = x.bit_length()
        digits = bits * 30103 // 100000 + 1
        if digits < SAFE_DIGITS and digits <= room:
            return _int_repr(x)
        if digits <= MAX_DIGITS and digits <= room:
            return decimal_text(x)
        if digits <= MAX_DIGITS:
            room = 0
        cut = True
        return "<%sint of %d bits%s>" % ("negative " if x < 0 else "", bits, digests[int](x))

    def scalar(x: Any, tp: type) -> str:
        """Text of an exact scalar, or an empty string for every other type."""
        if tp is int:
            return number(x)
        if tp is str:
            return quoted(x, _str_repr, "str", digests[str])
        if tp is bytes:
            return quoted(x, _bytes_repr, "bytes", digests[bytes])
        constant = CONSTANT_REPR.get(id(tp))
        return "" if constant is None else constant(x)

    def emit(x: Any, d: int) -> None:
        """Writes x, which may open d more levels."""
        nonlocal left
        tp = type(x)
        text = scalar(x, tp)
        if text:
            write(tp.__name__ + " " + text if typed and id(tp) not in _NAMELESS else text)
            return
        if tp is Inner:
            inner(x, d)
            return
        key = id(x)
        if key in labels:
            write("ref#%d" % labels[key])
            return
        if key in active:
            write(active[key])
            return
        left -= 1
        start, room_before = len(out), room
        try:
            compound(x, tp, key, d)
        except (MemoryError, RecursionError):
            raise
        except Exception as error:  # a released buffer, a dict that another thread changes
            give_up(start, room_before, "<unreadable %s: %s>" % (type_name(tp), type_name(type(error))))
        active.pop(key, None)

    def inner(part: Inner, d: int) -> None:
        if typed:
            write(part.kind + " " if part.kind == "str" or part.kind == "bytes" else part.kind)
        if part.kind == "str":
            write(quoted(part.value, _str_repr, "str", digests[str], part.total))
        elif part.kind == "bytes":
            write(quoted(part.value, _bytes_repr, "bytes", digests[bytes], part.total))
        else:
            builtin(part.kind, part.value, d, part.members, part.total)

    def give_up(start: int, room_before: int, text: str) -> None:
        nonlocal room
        del out[start:]
        room = room_before
        write(text)

    def compound(x: Any, tp: type, key: int, d: int) -> None:
        kind = _KINDS.get(id(tp))
        if kind is not None:
            active[key] = kind[3]
            if typed and x != ():
                label(x, key, kind[0])
            builtin(kind[0], x, d, None, -1)
            return
        form = describe(x, tp, most)
        if type(form) is str:
            write(form)
            return
        active[key] = form.cycle
        write(form.name)
        if typed and form.opening == "(":
            label(x, key, "")
        write(form.opening)
        structure(form, d)
        write(form.closing)

    def label(x: object, key: int, name: str) -> None:
        labels[key] = len(labels) + 1
        held.append(x)  # no id may be used again while labels are kept
        write("%s#%d" % (name, labels[key]))

    def structure(form: Any, d: int) -> None:
        shown = 0
        if d > 0 and left >= 0:
            for prefix, value in islice(form.members, items):
                if room <= 0:
                    break
                write(", " + prefix if shown else prefix)
                emit(value, d - 1)
                shown += 1
        if shown < form.total:
            write((", " if shown else "") + marker(form.total - shown, form.name or "value", form.total, ""))

    def builtin(kind: str, x: Any, d: int, members: Any, total: int) -> None:
        """A list, tuple, dict, set or frozenset, or the part of a subclass's instance that is one."""
        n = _LEN[kind](x) if members is None else total
        opening, closing = _BRACKETS[kind]
        if kind == "frozenset" and not typed:
            opening, closing = ("frozenset({", "})") if n else ("frozenset(", ")")
        elif kind == "set" and not n and not typed:
            opening, closing = "set(", ")"
        exact = members is None and type(x) is _EXACT.get(kind)
        if exact and d > 0 and left >= 0 and not typed and 0 <= weight(x, type(x), 1) <= heavy:
            text = _C_REPR[kind](x)
            if len(text) <= room:
                write(text)
                return
        write(opening)
        shown, digest = 0, ""
        if kind == "set" or kind == "frozenset":
            shown, digest = set_members(list(_ITER[kind](x)) if n <= scan else None, n, d)
        elif d > 0 and left >= 0:
            source = _ITER[kind](x) if members is None else members
            shown = pairs(source, d) if kind == "dict" else sequence(source, d)
        if shown < n:
            if exact:
                digest = digests[type(x)](x)
            write((", " if shown else "") + marker(n - shown, kind, n, digest))
        elif kind == "tuple" and n == 1:
            write(",")
        write(closing)

    def sequence(source: Any, d: int) -> int:
        shown = 0
        for v in islice(source, items):
            if room <= 0:
                break
            if shown:
                write(", ")
            emit(v, d - 1)
            shown += 1
        return shown

    def pairs(source: Any, d: int) -> int:
        shown = 0
        for k, v in islice(source, items):
            if room <= 0:
                break
            if shown:
                write(", ")
            emit(k, d - 1)
            write(": ")
            emit(v, d - 1)
            shown += 1
        return shown

    def set_members(members: Any, n: int, d: int) -> Tuple[int, str]:
        """Writes members in their canonical order: none of a set too large to be sorted, for a part in hash order
        would differ from run to run."""
        if members is None or d <= 0 or left < 0:
            return 0, ""
        if all_atoms(members):
            members.sort(key=atom_key)
            return sequence(members, d), digests[list](members) if n > items or room <= 0 else ""
        texts = sort_by_text(members, d)
        if texts is None:
            return 0, ""
        if typed:
            return sequence([m for _, _, m in texts], d), ""
        shown = 0
        for text, _, _ in texts[:items]:
            if room <= 0:
                break
            write(", " + text if shown else text)
            shown += 1
        return shown, ""

    def sort_by_text(members: List[Any], d: int) -> Any:
        """Members with their texts, sorted by them; None when the budget ends before all have one."""
        nonlocal room, left
        if len(members) > left:
            return None
        texts, kept, labelled, left_before = [], room, len(labels), left
        room = 4 * value_chars
        for i, m in enumerate(members):
            start = len(out)
            emit(m, d - 1)
            texts.append(("".join(out[start:]), i, m))
            del out[start:]
            while len(labels) > labelled:
                labels.popitem()
            if room <= 0 or left < 0:
                break
        over = room <= 0 or left < 0
        room = kept
        if over:
            return None
        if typed:
            left = left_before
        texts.sort()
        return texts

    def weight(x: Any, tp: type, d: int) -> int:
        """What an exact list, tuple or dict of atoms and of such, nested at most d deep, costs to write with its C
        repr; -1 when it holds anything else, or when any budget might be exceeded."""
        if len(x) > items:
            return -1
        seen = (*x, *x.values()) if tp is dict else x
        if not seen:
            return COMPOUND_WEIGHT
        ids = set(map(id, map(type, seen)))
        if ids <= ATOM_IDS:
            largest = max(map(getsizeof, seen))
            return COMPOUND_WEIGHT + len(seen) * largest if largest <= small else -1
        if d <= 1 or not ids <= _SIMPLE_IDS:
            return -1
        total = COMPOUND_WEIGHT
        for m in seen:
            kind = type(m)
            cost = weight(m, kind, d - 1) if id(kind) in _KINDS else getsizeof(m) if getsizeof(m) <= small else -1
            total += cost
            if cost < 0 or total > heavy:
                return -1
        return total

    def render(x: object) -> Tuple[str, bool]:
        nonlocal room, left, cut
        tp = type(x)
        if not typed:
            if tp is int:
                if -SMALL_INT < x < SMALL_INT:  # type: ignore[operator]
                    return _int_repr(x), False  # type: ignore[arg-type]
            elif tp is str:
                if len(x) <= sure:  # type: ignore[arg-type]
                    return _str_repr(x), False  # type: ignore[arg-type]
            elif x is None:
                return "None", False
            elif tp is bool:
                return ("True" if x else "False"), False
            elif tp is float:
                return float.__repr__(x), False  # type: ignore[arg-type]
            elif (tp is list or tp is tuple or tp is dict) and 0 <= weight(x, tp, depth) <= heavy:
                text = repr(x)
                if len(text) <= value_chars:
                    return text, False
        out.clear()
        active.clear()
        labels.clear()
        room, left, cut = value_chars, nodes, False
        try:
            emit(x, depth)
            return "".join(out), cut
        finally:
            out.clear()
            active.clear()
            labels.clear()
            held.clear()

    return render

"""What there is to show of any value that is no exact scalar or builtin container: describe is the way in.

Instances of classes written in Python are read through their __dict__ and slots, by the descriptors that the
interpreter made for them. Some classes of the standard library are known by module and name, so that their text is
what their repr gives; a program's class under such a name is read in the same way, and its code is not run either.
"""
import types
from itertools import islice
from typing import Any, Callable, Dict, List, Optional, Tuple

from render_names import BUILTINS, HEAP, NAME_CHARS, Form, Inner, Shape, attribute, clean, flags_of, has_base, is_c, \
    module_name, mro_of, plain_ns, qual_name, short_name, type_name
from render_types import BASES, BUILTIN_FORMS, describe_c, structseq

__builtins__ = BUILTINS

Attributes = List[Tuple[Any, object]]

_MARKED_MODULES = frozenset(("enum", "threading"))  # whose classes make their subclasses' instances special

# Attributes of threads and locks that hold what the operating system numbered.
_VOLATILE = frozenset(("_ident", "_native_id", "_tstate_lock", "_handle", "_os_thread_handle"))


def describe(x: Any, tp: type, limit: int) -> Shape:
    """The Form of x, or its whole text. About limit members are read, and no more, of any one part of it."""
    known = BUILTIN_FORMS.get(id(tp))
    if known is not None:
        return known(x, limit)
    if has_base(tp, type):
        return "<class '%s'>" % type_name(x)
    return describe_c(x, tp, limit) if is_c(tp) else _instance(x, tp, limit)


class _Class:
    """What the classes of an instance say about it, in one walk along the mro."""

    __slots__ = ("base", "read_dict", "slots", "fields", "names", "repr", "enum", "thread", "structseq", "made_by_c")

    def __init__(self, tp: type):
        self.base = self.read_dict = self.fields = self.names = self.repr = None  # type: Any
        self.slots = []  # type: List[Tuple[str, Any]]
        self.enum = self.thread = self.structseq = False
        self.made_by_c = True
        for k in mro_of(tp):
            if k is not object:
                self._add(k)

    def _add(self, k: type) -> None:
        base = BASES.get(id(k))
        if base is not None and self.base is None:
            self.base = base
        ns = plain_ns(k)
        own = ns.get("__dict__")
        if type(own) is types.GetSetDescriptorType and self.read_dict is None:
            self.read_dict, self.made_by_c = own.__get__, False
        if not flags_of(k) & HEAP:
            return
        if self.repr is None:
            self.repr = ns.get("__repr__")
        if "__slots__" in ns:
            self.made_by_c = False
            self.slots[:0] = [(n, d.__get__) for n, d in ns.items()
                              if type(d) is types.MemberDescriptorType and d.__name__ == n]
        if self.fields is None and type(ns.get("__dataclass_fields__")) is dict:
            self.fields = ns["__dataclass_fields__"]
        if self.names is None and type(ns.get("_fields")) is tuple:
            self.names = ns["_fields"]
        self.structseq = self.structseq or type(ns.get("n_sequence_fields")) is int
        mod = ns.get("__module__")
        if type(mod) is str and mod in _MARKED_MODULES:
            self.enum = self.enum or (mod == "enum" and qual_name(k) == "Enum")
            self.thread = self.thread or mod == "threading"


def _attributes(x: Any, cls: _Class, limit: int) -> Tuple[Attributes, int]:
    """Names and values, and how many there are."""
    found, total = [], 0  # type: Attributes, int
    if cls.read_dict is not None:
        ns = cls.read_dict(x)
        if has_base(type(ns), dict):
            found, total = list(islice(dict.items(ns), limit + 1)), dict.__len__(ns)
    for name, read in cls.slots:
        try:
            found.append((name, read(x)))
            total += 1
        except AttributeError:  # a slot without a value
            pass
    if cls.thread:
        kept = [(n, v) for n, v in found if not (type(n) is str and n in _VOLATILE)]
        found, total = kept, total - (len(found) - len(kept))
    return found, total


def _by_name(found: Attributes) -> Dict[str, object]:
    return {n: v for n, v in found if type(n) is str}


def _instance(x: Any, tp: type, limit: int) -> Shape:
    cls = _Class(tp)
    found, total = _attributes(x, cls, limit)
    if cls.made_by_c:
        return describe_c(x, tp, limit)
    known = _STDLIB.get((module_name(tp), qual_name(tp)))
    if known is not None:
        form = known(x, tp, _by_name(found), limit)
        if form is not None:
            return form
    if cls.enum:
        form = _enum(x, tp, cls, _by_name(found))
        if form is not None:
            return form
    if cls.fields is not None and _generated(cls.repr):
        return _dataclass(tp, cls, _by_name(found), limit)
    members = [(attribute(n), v) for n, v in found]
    if cls.base is None:
        return Form(qual_name(tp), members, total)
    names = cls.names
    if names is not None and _is_named(names, x):
        own = list(zip([attribute(n) for n in names], tuple.__iter__(x)))
    else:
        own = cls.base(x, limit)
    return Form(short_name(tp), own + members, len(own) + total)


def _is_named(names: Tuple[Any, ...], x: Any) -> bool:
    return all(type(n) is str for n in names) and has_base(type(x), tuple) and tuple.__len__(x) == len(names)


def _enum(x: Any, tp: type, cls: _Class, own: Dict[str, Any]) -> Optional[Shape]:
    """<Color.RED: 1>"""
    value, name = own.get("_value_"), own.get("_name_")
    if "_value_" not in own:
        return None  # half-built
    names = name[:NAME_CHARS].split("|") if type(name) is str else _flags(value, tp, cls)
    shown = "." + "|".join(map(clean, names)) if names else ""
    return Form("", [("", value)], opening="<%s%s: " % (short_name(tp), shown), closing=">")


def _flags(value: Any, tp: type, cls: _Class) -> List[str]:
    """The members that make a combination of flags, which has no name of its own up to 3.10."""
    members = plain_ns(tp).get("_member_map_")
    if type(members) is not dict or type(value) is not int or value < 0:
        return []
    found = []
    for name, member in dict.items(members):
        v = _by_name(list(dict.items(cls.read_dict(member)))).get("_value_")
        if type(name) is str and type(v) is int and v and v & value == v:
            found.append((v, name))
    return [name for _, name in sorted(found, reverse=True)]


def _generated(method: Any) -> bool:
    """Whether a dataclass's __repr__ is the one made by the decorator, which wraps it against recursion."""
    return type(method) is types.FunctionType and method.__code__.co_name == "wrapper"


def _dataclass(tp: type, cls: _Class, own: Dict[str, object], limit: int) -> Form:
    """As the generated __repr__ has it; fields without a value yet are left out."""
    members = []
    for name, field in dict.items(cls.fields):
        if type(name) is str and name in own and _slot(field, "repr") is not False:
            members.append((attribute(name), own[name]))
    return Form(qual_name(tp), members[:limit + 1], len(members), cycle="...")


def _slot(x: Any, name: str) -> Any:
    """The value of a slot, None when there is none."""
    d = plain_ns(type(x)).get(name)
    return d.__get__(x) if type(d) is types.MemberDescriptorType else None


# Classes of the standard library whose repr is known.

def _counter(x: Any, tp: type, own: Dict[str, object], limit: int) -> Optional[Shape]:
    """Most common first, when the counts are numbers; else, and when there are too many to be sorted, as they came."""
    n = dict.__len__(x)
    pairs = list(islice(dict.items(x), limit + 1))
    if n <= limit and all(type(count) is int for _, count in pairs):
        pairs.sort(key=lambda pair: pair[1], reverse=True)
    return Form("Counter", [("", Inner("dict", None, pairs, n))] if n else [])


def _chain_map(x: Any, tp: type, own: Dict[str, object], limit: int) -> Optional[Shape]:
    maps = own.get("maps")
    return Form("ChainMap", [("", m) for m in maps[:limit + 1]], len(maps), cycle="...") if type(maps) is list else None


def _data(x: Any, tp: type, own: Dict[str, object], limit: int) -> Optional[Shape]:
    return Form("", [("", own["data"])], opening="", closing="", cycle="...") if "data" in own else None


def _fraction(x: Any, tp: type, own: Dict[str, object], limit: int) -> Optional[Shape]:
    if "_numerator" not in own or "_denominator" not in own:
        return None
    return Form("Fraction", [("", own["_numerator"]), ("", own["_denominator"])])


def _uuid(x: Any, tp: type, own: Dict[str, object], limit: int) -> Optional[Shape]:
    number = own.get("int")
    if type(number) is not int or not 0 <= number < 1 << 128:
        return None
    h = "%032x" % number
    return "UUID('%s')" % "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


def _path(x: Any, tp: type, own: Dict[str, object], limit: int) -> Optional[Shape]:
    """From what the path was made of, not from what it has computed and kept since, so that looking at a path does
    not change its text."""
    raw = own.get("_raw_paths")  # 3.12 on
    if type(raw) is list and all(type(p) is str for p in raw):
        text = ""
        for p in raw[:limit]:
            text = p if p.startswith("/") else text + "/" + p if text and not text.endswith("/") else text + p
        root = "" if not text.startswith("/") else "//" if text.startswith("//") and not text.startswith("///") else "/"
        parts = [p for p in text.split("/") if p and p != "."]
    else:
        root, parts = own.get("_root"), own.get("_parts")  # type: ignore[assignment]
        if type(root) is not str or type(parts) is not list or not all(type(p) is str for p in parts):
            return None
        parts = parts[1:] if root else parts
    return Form(short_name(tp), [("", (root + "/".join(parts)) or ".")])


_STDLIB = {
    ("collections", "Counter"): _counter, ("collections", "ChainMap"): _chain_map, ("collections", "UserDict"): _data,
    ("collections", "UserList"): _data, ("collections", "UserString"): _data, ("fractions", "Fraction"): _fraction,
    ("uuid", "UUID"): _uuid, ("pathlib", "PosixPath"): _path, ("pathlib", "PurePosixPath"): _path,
    ("pathlib._local", "PosixPath"): _path, ("pathlib._local", "PurePosixPath"): _path,
}  # type: Dict[Tuple[str, str], Callable[[Any, type, Dict[str, object], int], Optional[Shape]]]

"""Names of types, and the shapes in which what is read of a value is handed to the renderer.

Types are read through the descriptors of `type` itself, bound at import: no metaclass can answer in their place.
"""
import builtins
import types
from itertools import repeat
from operator import is_
from typing import Any, Iterable, List, Tuple, Union

# A copy, taken before the program runs. A module that binds it to __builtins__ before it defines its functions is out
# of reach of a program that replaces builtins.len or builtins.repr.
BUILTINS = vars(builtins).copy()
__builtins__ = BUILTINS

NAME_CHARS = 100  # of a class, function or attribute name
HEAP, IMMUTABLE = 1 << 9, 1 << 8  # type flags: made at run time; and (3.10 on) not to be changed, so made by C

mro_of = type.__dict__["__mro__"].__get__
flags_of = type.__dict__["__flags__"].__get__
name_of = type.__dict__["__name__"].__get__
qualname_of = type.__dict__["__qualname__"].__get__
_module_of = type.__dict__["__module__"].__get__
ns_of = type.__dict__["__dict__"].__get__
_Member, _GetSet = types.MemberDescriptorType, types.GetSetDescriptorType


class Inner:
    """The builtin part of a value: what kind it is, and value itself, an instance of that kind or of a subclass.

    members and total stand for it when it is no such instance, or when only its beginning was read.
    """

    __slots__ = ("kind", "value", "members", "total")

    def __init__(self, kind: str, value: object, members: Any = None, total: int = -1):
        self.kind, self.value, self.members, self.total = kind, value, members, total


class Form:
    """name, opening, members as (prefix, value), closing. total counts the members, read or not; cycle is the text
    of the value inside of itself."""

    __slots__ = ("name", "members", "total", "opening", "closing", "cycle")

    def __init__(self, name: str, members: Iterable[Tuple[str, object]], total: int = -1, opening: str = "(",
                 closing: str = ")", cycle: str = ""):
        self.name, self.opening, self.closing = name, opening, closing
        self.members = list(members)
        self.total = len(self.members) if total < 0 else total
        self.cycle = cycle or name + "(...)"


Shape = Union[Form, str]


def clean(name: Any) -> str:
    """A name as text without surprises: its own when it is made of identifiers, else quoted and escaped."""
    if type(name) is not str:
        return "?"
    if len(name) <= NAME_CHARS:
        if name.isidentifier():
            return name
        bare = name.replace("<locals>", "x").replace("<lambda>", "x").replace(".", "x").replace("-", "x")
        for comprehension in ("listcomp", "setcomp", "dictcomp", "genexpr"):
            bare = bare.replace("<" + comprehension + ">", "x")
        if bare.isidentifier():
            return name
    text = ascii(name[:NAME_CHARS])
    return text if len(name) <= NAME_CHARS and len(text) <= 2 * NAME_CHARS else text[:2 * NAME_CHARS] + "...'"


def exact(name: Any) -> Any:
    return name if type(name) is str else str.__str__(name)


def attribute(name: Any) -> str:
    """What stands before an attribute's value."""
    if type(name) is str and name.isidentifier() and len(name) <= NAME_CHARS:
        return name + "="
    return clean(exact(name) if has_base(type(name), str) else None) + ": "


def plain_ns(tp: type) -> Any:
    """A type's namespace, safe to look names up in: a class body may have put keys of any class there."""
    ns = ns_of(tp)
    if not flags_of(tp) & HEAP or all(map(is_, map(type, ns), repeat(str))):
        return ns
    return {n: v for n, v in ns.items() if type(n) is str}


def module_name(tp: type) -> str:
    mod = plain_ns(tp).get("__module__") if flags_of(tp) & HEAP else _module_of(tp)
    return mod if type(mod) is str else ""


def short_name(tp: type) -> str:
    return clean(exact(name_of(tp)))


def qual_name(tp: type) -> str:
    return clean(exact(qualname_of(tp)))


def type_name(tp: type) -> str:
    """module.qualname, as a class's own repr has it: without the module for builtins."""
    mod = module_name(tp)
    return qual_name(tp) if mod == "builtins" or not mod else clean(mod) + "." + qual_name(tp)


def has_base(tp: type, base: type) -> bool:
    """issubclass without __subclasscheck__ and without a metaclass's __eq__."""
    for k in mro_of(tp):
        if k is base:
            return True
    return False


def is_c(tp: type) -> bool:
    flags = flags_of(tp)
    return not flags & HEAP or bool(flags & IMMUTABLE)


def c_attribute(x: object, tp: type, name: str) -> Any:
    """An attribute that the C type tp itself defines."""
    d = ns_of(tp)[name]
    if type(d) is not _Member and type(d) is not _GetSet:
        raise TypeError(name)
    return d.__get__(x)

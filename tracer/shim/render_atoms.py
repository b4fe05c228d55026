"""Exact scalars: the values whose text, order and bytes no code of a program can have a part in."""
from typing import Any, Tuple

from render_names import BUILTINS

__builtins__ = BUILTINS

# Exact scalar types: immutable, and nothing of the program can be reached through them. Types are told apart by
# id: putting a type into a set would call its metaclass's __hash__.
ATOMS = (type(None), bool, int, float, complex, str, bytes)
ATOM_IDS = frozenset(map(id, ATOMS))


def all_atoms(members: Any) -> bool:
    """Whether every member of an exact builtin iterable is an atom; runs at C speed."""
    return ATOM_IDS.issuperset(map(id, map(type, members)))


def decimal_text(x: int) -> str:
    """int.__repr__ in pieces, so that no limit set by the program applies."""
    sign, x, pieces = ("-", -x, []) if x < 0 else ("", x, [])  # type: Any
    while x >= 10**600:
        x, low = divmod(x, 10**600)
        pieces.append(int.__repr__(low).rjust(600, "0"))
    return sign + int.__repr__(x) + "".join(reversed(pieces))


def atom_key(v: Any) -> Tuple[str, Any]:
    tp = type(v)
    if tp is float:
        return "float", (v != v, v if v == v else 0.0)
    if tp is complex or v is None:
        return tp.__name__, CONSTANT_REPR[id(tp)](v)
    return tp.__name__, v


CONSTANT_REPR = {
    id(type(None)): lambda x: "None",
    id(bool): lambda x: "True" if x else "False",
    id(float): float.__repr__,
    id(complex): complex.__repr__,
    id(type(Ellipsis)): lambda x: "Ellipsis",
    id(type(NotImplemented)): lambda x: "NotImplemented",
}

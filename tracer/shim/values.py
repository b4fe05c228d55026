"""Numbers for values: equal renderings get equal numbers, and most values get theirs without being rendered.

Exact scalars are looked up by type and value. Exact containers of them are looked up by their marshal bytes, as long as
they have at most FINGERPRINT_NODES members, their containers' own included: the types are checked first, so that marshal
meets no buffer of a user's class, and the walk is counted, so that shared structure cannot multiply. All else is rendered,
at a cost that the renderer's budget bounds.
"""
import marshal
from typing import Any, Callable, Dict, Tuple

from render_names import BUILTINS
from writer import Writer

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach

ATOMS = (type(None), bool, int, float, complex, str, bytes)
ATOM_IDS = frozenset(map(id, ATOMS))  # by id: hashing a class may run its metaclass
CONTAINERS = (list, tuple, dict, set, frozenset)
PLAIN_IDS = frozenset(map(id, ATOMS + CONTAINERS))
CONTAINER_IDS = frozenset(map(id, CONTAINERS))

FINGERPRINT_NODES = 2048
FINGERPRINT_LEVELS = 8
FINGERPRINT_BYTES = 16 << 10  # of one fingerprint that is kept
KEPT_BYTES = 16 << 20  # of all that are kept
SMALL_INT_BITS = 4096
SMALL_STR = 4096


def room_after(value: Any, kind: type, room: int, level: int = 0) -> int:
    """What is left of room when the members of an exact builtin container are counted; -1 when there are more, or when
    one of them is neither an exact scalar nor such a container."""
    room -= len(value)
    if room < 0:
        return -1
    ids = set(map(id, map(type, value)))
    if kind is dict:
        ids.update(map(id, map(type, value.values())))
    if ids <= ATOM_IDS:
        return room
    if level == FINGERPRINT_LEVELS or not ids <= PLAIN_IDS:
        return -1
    for members in (value, value.values()) if kind is dict else (value,):
        for member in members:
            inner = type(member)
            if id(inner) in CONTAINER_IDS:
                room = room_after(member, inner, room, level + 1)
                if room < 0:
                    return -1
    return room


def numbering(render: Callable[[Any], Tuple[str, bool]], writer: Writer) -> Callable[[Any], int]:
    """The function from values to their numbers."""
    ints: Dict[int, int] = {}
    strings: Dict[str, int] = {}
    prints: Dict[bytes, int] = {}
    kept = KEPT_BYTES
    write, dumps = writer.value, marshal.dumps

    def number(value: Any) -> int:
        kind = type(value)
        if kind is int:
            found = ints.get(value)
            if found is None:
                found = write(render(value))
                if value.bit_length() <= SMALL_INT_BITS:
                    ints[value] = found
            return found
        if kind is str:
            if len(value) > SMALL_STR:
                return write(render(value))
            found = strings.get(value)
            if found is None:
                found = strings[value] = write(render(value))
            return found
        if id(kind) in CONTAINER_IDS:
            return container(value, kind)
        return write(render(value))

    def container(value: Any, kind: type) -> int:
        nonlocal kept
        try:
            if room_after(value, kind, FINGERPRINT_NODES) < 0:
                return write(render(value))
            fingerprint = dumps(value, 2)
        except (RuntimeError, ValueError):  # another thread changes it; a string that marshal refuses
            return write(render(value))
        found = prints.get(fingerprint)
        if found is None:
            found = write(render(value))
            size = len(fingerprint)
            if size <= FINGERPRINT_BYTES and kept >= size:
                kept -= size
                prints[fingerprint] = found
        return found

    return number

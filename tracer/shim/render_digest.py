"""Short hashes of values that are too long to show, at a bounded cost and without user code.

A digest is a suffix of a cut marker: `, #0123456789ab` hashes the whole value, `, ~0123456789ab` its head and its
tail (the whole would cost more than the budget), and an empty suffix says that no hash could be had.
"""
from itertools import chain
from marshal import dumps as _marshal
from sys import getsizeof
from typing import Any, Callable, Dict

try:
    from _blake2 import blake2b as _blake2b  # hashlib would load OpenSSL into every child
except ImportError:
    from hashlib import blake2b as _blake2b

from render_atoms import ATOM_IDS, all_atoms
from render_names import BUILTINS

__builtins__ = BUILTINS

MEMBER_BYTES = 16  # what looking at one member costs, in the currency of digest_bytes
MAX_LEVELS = 200  # marshal refuses 2000; cycles end here


def short_hash(data: bytes) -> str:
    return _blake2b(data, digest_size=6).hexdigest()


def make_digest(limit: int) -> Dict[type, Callable[[Any], str]]:
    """The digest functions of the exact types that have one; limit is the budget's digest_bytes."""
    half = limit // 2
    scan = limit // MEMBER_BYTES

    def of_str(x: str) -> str:
        if len(x) <= limit:
            return ", #" + short_hash(x.encode("utf-8", "surrogatepass"))
        return ", ~" + short_hash((x[:half] + x[-half:] if half else "").encode("utf-8", "surrogatepass"))

    def of_bytes(x: Any) -> str:
        if len(x) <= limit:
            return ", #" + short_hash(x)
        return ", ~" + short_hash(x[:half] + x[-half:] if half else b"")

    def of_int(x: int) -> str:
        size = (x.bit_length() + 7) // 8
        return ", #" + short_hash(abs(x).to_bytes(size, "big")) if size <= limit else ""

    def of_sequence(x: Any) -> str:
        if plain(x):
            return ", #" + short_hash(_marshal(x, 2))  # version 2 has no reference flags: equal values, equal bytes
        part = (scan - 2) // 2  # plain counts the pair of the ends too
        if len(x) > scan and part > 0:
            ends = x[:part], x[-part:]
            if plain(ends):
                return ", ~" + short_hash(_marshal(ends, 2))
        return ""

    def of_dict(x: Dict[Any, Any]) -> str:
        return ", #" + short_hash(_marshal(x, 2)) if plain(x) else ""

    def plain(x: Any) -> bool:
        """Whether x is made of exact lists, tuples, dicts and atoms only, and is small enough to be hashed.

        marshal on anything else could call a program's __buffer__; sets are left out for their hash order.
        """
        level, count, size = [x], 0, 0
        for _ in range(MAX_LEVELS):
            below = []
            for c in level:
                count += len(c)
                if count > scan:
                    return False
                members = tuple(chain(c, c.values())) if type(c) is dict else c
                if all_atoms(members):
                    size += sum(map(getsizeof, members))
                    continue
                for m in members:
                    tp = type(m)
                    if tp is list or tp is tuple or tp is dict:
                        below.append(m)
                    elif id(tp) in ATOM_IDS:
                        size += getsizeof(m)
                    else:
                        return False
            if size > 8 * limit:
                return False
            if not below:
                return True
            level = below
        return False

    return {str: of_str, bytes: of_bytes, int: of_int, list: of_sequence, tuple: of_sequence, dict: of_dict}

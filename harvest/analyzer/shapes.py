"""What an argument may be: shapes, which annotations and uses are read as and values are made from."""

from typing import NamedTuple, Tuple


class Shape(NamedTuple):
    """A kind, and what it needs: `list` and `set` one part, `dict` two, `tuple` one a place, `union` its choices."""

    kind: str
    parts: Tuple["Shape", ...] = ()  # type: ignore[misc]
    texts: Tuple[str, ...] = ()  # expressions that the program compares with or searches for; of `literal`: the choices
    sizes: Tuple[int, ...] = ()  # lengths that matter; of `callable`: its number of parameters, -1 where it is not known

    def part(self, n: int) -> "Shape":
        return self.parts[n] if n < len(self.parts) else ANY


ANY = Shape("any")
INT = Shape("int")
FLOAT = Shape("float")
BOOL = Shape("bool")
STR = Shape("str")
BYTES = Shape("bytes")
NONE = Shape("none")


def union(*choices: Shape) -> Shape:
    """One of the choices; the first is the likeliest."""
    flat = []  # type: list
    for choice in choices:
        for one in choice.parts if choice.kind == "union" else (choice,):
            if one not in flat:
                flat.append(one)
    return flat[0] if len(flat) == 1 else Shape("union", tuple(flat))


def listing(item: Shape) -> Shape:
    return Shape("list", (item,))


def mapping(key: Shape, value: Shape) -> Shape:
    return Shape("dict", (key, value))


def literal(*texts: str) -> Shape:
    return Shape("literal", texts=texts)

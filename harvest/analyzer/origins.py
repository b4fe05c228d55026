"""Which names of a test file are those of a module, by the imports of the one and the path of the other.

Where a package lies in a tree is not known: `pkg.x` is src/pkg/x.py as well as pkg/x.py. A package hands on what its modules define, so that
`from pkg import f` is taken for the f of pkg/x.py, where that defines one.
"""

import ast
from typing import Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from analyzer.units import Units

Parts = Tuple[str, ...]


class _Origin(NamedTuple):
    """What an import names. A relative one says where in the tree it is, which is exact."""

    exact: bool
    parts: Parts


class Origins:
    def __init__(self, nodes: Iterable[ast.AST], path: str, of: str, units: Units) -> None:
        """path is the test file's in the tree, of the module's."""
        self._module = units.module
        self._at = _parts(of)
        self._imported = {}  # type: Dict[str, Optional[_Origin]]  # None: different things by one name
        self._same = set()  # type: Set[str]  # imports that the module has too
        stars = []  # type: List[bool]
        here = tuple(path.split("/")[:-1])
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    full = tuple(alias.name.split("."))
                    self._add(alias.asname or full[0], _Origin(False, full if alias.asname else full[:1]), units)
            elif isinstance(node, ast.ImportFrom):
                above = here[:len(here) - node.level + 1] if node.level else ()
                base = _Origin(node.level > 0, above + tuple(node.module.split(".") if node.module else ()))
                for alias in node.names:
                    if alias.name == "*":
                        stars.append(self._is_module(base) or self._is_package(base))
                    else:
                        self._add(alias.asname or alias.name, _Origin(base.exact, base.parts + (alias.name,)), units)
        reached = any(origin is not None and self._reaches(origin) for origin in self._imported.values())
        # What a foreign `import *` binds may have any name, the module's functions' too.
        self.used = (reached or any(stars)) and all(stars)

    def name(self, parts: Parts) -> Optional[str]:
        """The module's own name of what a dotted name of the test is."""
        origin = self._imported.get(parts[0])
        return self._name(_Origin(origin.exact, origin.parts + parts[1:])) if origin is not None else None

    def plain(self) -> Set[str]:
        """The test's names that mean the same in the module."""
        return self._same | {name for name, origin in self._imported.items() if origin is not None and self._name(origin) == name}

    def _name(self, origin: _Origin) -> Optional[str]:
        of, name = _Origin(origin.exact, origin.parts[:-1]), origin.parts[-1]
        if name in self._module.globals and self._is_module(of):
            return name
        if (name in self._module.functions or name in self._module.classes) and self._is_package(of):
            return name
        return None

    def _reaches(self, origin: _Origin) -> bool:
        return self._name(origin) is not None or self._is_module(origin) or self._is_package(origin)

    def _is_module(self, origin: _Origin) -> bool:
        return bool(origin.parts) and (self._at == origin.parts if origin.exact else _ends(self._at, origin.parts))

    def _is_package(self, origin: _Origin) -> bool:
        above = [self._at[:n] for n in range(1, len(self._at))]
        return bool(origin.parts) and any(at == origin.parts if origin.exact else _ends(at, origin.parts) for at in above)

    def _add(self, name: str, origin: _Origin, units: Units) -> None:
        if units.names.get(name) == ".".join(origin.parts) and name in self._module.globals:
            self._same.add(name)
        if name in self._imported and self._imported[name] != origin:
            self._imported[name] = None
            self._same.discard(name)
        else:
            self._imported[name] = origin


def _ends(at: Parts, parts: Parts) -> bool:
    return at[-len(parts):] == parts


def _parts(path: str) -> Parts:
    parts = path[:-len(".py")].split("/")
    return tuple(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)

"""What the recorder must know of an interpreter version: instructions, flags, and how locals are read."""
import gc
import sys
from opcode import opmap
from typing import Any, Iterable, Tuple

CO_OPTIMIZED = 0x1
CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200

RETURN_OPS = frozenset(opmap[n] for n in ("RETURN_VALUE", "RETURN_CONST") if n in opmap)
YIELD_VALUE = opmap["YIELD_VALUE"]
YIELD_FROM = opmap.get("YIELD_FROM", -1)  # up to 3.10: f_lasti is stepped back, to run it again
RESUME = opmap.get("RESUME", -1)  # from 3.13 f_lasti is already on the one after the yield

# What the import system, the compiler and the warnings module put into a namespace that is no function's.
NOISE = frozenset(("__builtins__", "__cached__", "__doc__", "__file__", "__loader__", "__name__", "__package__", "__spec__",
                   "__annotations__", "__conditional_annotations__", "__warningregistry__", "__module__", "__qualname__",
                   "__firstlineno__", "__static_attributes__", "__classcell__", "__classdict__", "__type_params__"))


def code_flags(code: Any) -> int:
    """schema.CodeFlags of a code object."""
    flags = code.co_flags
    return ((1 if flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR) else 0)
            | (2 if flags & CO_COROUTINE else 0)
            | (0 if flags & CO_OPTIMIZED else 4))


def read_locals(frame: Any) -> Iterable[Tuple[str, Any]]:
    names = frame.f_locals
    if type(names) is dict:
        return names.items()
    return list(names.items())


def collector_closes(frame: Any) -> bool:
    return False

"""What the recorder must know of an interpreter version: instructions, flags, and how locals are read."""
import sys
from opcode import opmap
from typing import Any, Callable, Iterable, Tuple

CO_OPTIMIZED = 0x1
CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200
SUSPENDABLE = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR

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
    return ((1 if flags & SUSPENDABLE else 0)
            | (2 if flags & CO_COROUTINE else 0)
            | (0 if flags & CO_OPTIMIZED else 4))


def locals_reader() -> Callable[[Any], Iterable[Tuple[str, Any]]]:
    """The way to read a frame's locals that the program notices least."""
    version = sys.version_info[:2]
    if version < (3, 11):
        return _from_dict  # the interpreter has filled the dict for the trace function already
    if version < (3, 13):
        return _quietly()
    if version == (3, 13):
        return _around_cells
    return _from_proxy


def _from_dict(frame: Any) -> Iterable[Tuple[str, Any]]:
    return _pairs(frame.f_locals)


def _from_proxy(frame: Any) -> Iterable[Tuple[str, Any]]:
    names = frame.f_locals
    return names.items() if type(names) is not dict and frame.f_code.co_flags & CO_OPTIMIZED else _pairs(names)


def _pairs(names: Any) -> Iterable[Tuple[str, Any]]:
    """Of a namespace that may be a program's own mapping, in a class body: then of what is a dict in it."""
    if type(names) is dict:
        return names.items()
    for kind in _mro_of(type(names)):
        if kind is dict:
            return list(dict.items(names))
    return ()


_mro_of = type.__dict__["__mro__"].__get__


def _quietly() -> Callable[[Any], Iterable[Tuple[str, Any]]]:
    """3.11 and 3.12: a read of f_locals makes a dict that keeps every value alive, that locals() hands to the program, and
    that is written back over the variables after the trace function. Here it is written back at once, when nothing has
    changed, and the variables are taken out of it again, unless the program holds the dict."""
    from ctypes import c_int, py_object, pythonapi
    write_back = pythonapi.PyFrame_LocalsToFast
    write_back.restype, write_back.argtypes = None, [py_object, c_int]
    count = sys.getrefcount

    def read(frame: Any) -> Iterable[Tuple[str, Any]]:
        names = frame.f_locals
        code = frame.f_code
        if not code.co_flags & CO_OPTIMIZED:
            return _pairs(names)
        pairs = list(names.items())
        write_back(frame, 1)
        if count(names) <= 3:  # the frame, names, the argument
            pop = names.pop
            for name in code.co_varnames + code.co_cellvars + code.co_freevars:
                pop(name, None)
        return pairs

    return read


_around_cells = _from_proxy


read_locals = locals_reader()

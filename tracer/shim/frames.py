"""What the recorder must know of an interpreter version: instructions, flags, and how locals are read."""
import sys
from opcode import opmap
from typing import Any, Callable, Iterable, Tuple

from cells313 import read_around, spans
from render_names import BUILTINS

__builtins__ = BUILTINS  # of this module's functions: a copy, out of a program's reach

VERSION = sys.version_info[:2]
MODULE_CODE = "<module>"

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


# With this attribute, and f_trace_lines, a program takes the tracer off a frame and puts it back: nothing between is seen.
_TRACING = "f_trace"


def mentions_tracing(code: Any) -> bool:
    """Whether code names what turns the tracing of a frame on and off."""
    return any(_TRACING in name for name in code.co_names) or any(
        type(value) is str and _TRACING in value for value in code.co_consts)


Reader = Callable[[Any], Iterable[Tuple[str, Any]]]


def reader_of(code: Any) -> Reader:
    """The way to read the locals of this code's frames that the program notices least: pairs of name and value, in a
    collection that has a length."""
    if not code.co_flags & CO_OPTIMIZED:
        return _module_reader(code) if code.co_name == MODULE_CODE and VERSION >= (3, 12) else _from_namespace
    if VERSION < (3, 11):
        return _from_dict  # the interpreter has filled the dict for the trace function already
    if VERSION < (3, 13):
        return _quiet_reader(code)
    if VERSION == (3, 13):
        unsafe = spans(code)
        if unsafe:
            return lambda frame: read_around(frame, unsafe)
    return _from_dict


def _from_dict(frame: Any) -> Iterable[Tuple[str, Any]]:
    return frame.f_locals.items()


def _from_namespace(frame: Any) -> Iterable[Tuple[str, Any]]:
    """A class body's may be a program's own mapping: then what of it is a dict."""
    names = frame.f_locals
    if type(names) is dict or type(names) is _PROXY:  # the latter inside an inlined comprehension
        return names.items()
    for kind in _mro_of(type(names)):
        if kind is dict:
            return list(dict.items(names))
    return ()


def _module_reader(code: Any) -> Reader:
    """The locals of a module are its globals, and from 3.13 the variables of an inlined comprehension while that runs.

    In 3.12 f_locals is then a copy, in which such variables stay, and hide globals of their names; and to read it writes globals over
    such variables. So they are left out. In 3.13 it has nothing but them, and to ask for it can crash 3.13.0 as in a function."""
    unsafe = spans(code) if VERSION == (3, 13) else {}

    def read(frame: Any) -> Iterable[Tuple[str, Any]]:
        names, at = frame.f_globals, frame.f_lasti
        if VERSION == (3, 12) or any(first <= at < end for ranges in unsafe.values() for first, end in ranges):
            return names.items()
        inside = frame.f_locals
        return dict(names, **inside).items() if type(inside) is _PROXY else inside.items()

    return read


_PROXY = type((lambda: sys._getframe().f_locals)())  # dict itself up to 3.12
_references = sys.getrefcount
_mro_of = type.__dict__["__mro__"].__get__

# --- 3.11 and 3.12. A read of f_locals makes a dict that keeps every value alive, that locals() hands to the program, and
# that is written back over the variables after the trace function. Three ways around it, by what the code mentions.
_TAKES_LOCALS = frozenset(("locals", "vars", "dir"))
_CHANGES_LOCALS = frozenset(("eval", "exec"))  # what these bind is in the dict only

if (3, 11) <= VERSION < (3, 13):
    from ctypes import c_int, py_object, pythonapi

    _write_back = pythonapi.PyFrame_LocalsToFast
    _write_back.restype, _write_back.argtypes = None, [py_object, c_int]
    if VERSION == (3, 12):
        _variable = pythonapi.PyFrame_GetVar
        _variable.restype, _variable.argtypes = py_object, [py_object, py_object]


def _quiet_reader(code: Any) -> Reader:
    variables = tuple(dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars))
    mentioned = frozenset(code.co_names)
    if mentioned & _CHANGES_LOCALS:
        return _from_dict if VERSION == (3, 12) else lambda frame: _take_back(frame, variables)
    if VERSION == (3, 12) and mentioned & _TAKES_LOCALS:
        return lambda frame: _one_by_one(frame, variables)
    return _take_all_back


def _take_all_back(frame: Any) -> Iterable[Tuple[str, Any]]:
    """The dict is written back at once, when nothing has changed, and emptied again, unless the program holds it."""
    names = frame.f_locals
    pairs = list(names.items())
    _write_back(frame, 1)
    if _references(names) <= 3:  # the frame, names, the argument
        names.clear()
    return pairs


def _take_back(frame: Any, variables: Tuple[str, ...]) -> Iterable[Tuple[str, Any]]:
    """Likewise, but what exec and eval bound stays: it is nowhere else."""
    names = frame.f_locals
    pairs = list(names.items())
    _write_back(frame, 1)
    if _references(names) <= 3:
        for name in variables:
            names.pop(name, None)
    return pairs


def _one_by_one(frame: Any, variables: Tuple[str, ...]) -> Iterable[Tuple[str, Any]]:
    pairs = []
    for name in variables:
        try:
            pairs.append((name, _variable(frame, name)))
        except NameError:
            pass
    return pairs

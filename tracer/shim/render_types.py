"""What there is to show of an instance of a class written in C, read through that class's own C descriptors.

BUILTIN_FORMS is by the identity of types that are always there. C_FORMS is by the name of types that only a program
that imports them has; it is asked only for types that no Python code can have made.
"""
import sys
import types
from itertools import islice
from typing import Any, Callable, Dict, List, Optional, Tuple

from _collections import OrderedDict, defaultdict, deque

from render_atoms import all_atoms
from render_names import BUILTINS, Form, Inner, Shape, attribute, c_attribute, clean, exact, has_base, is_c, mro_of, \
    ns_of, short_name, type_name

__builtins__ = BUILTINS

Members = List[Tuple[str, object]]

_module_ns = types.ModuleType.__dict__["__dict__"].__get__
_factory_of = defaultdict.__dict__["default_factory"].__get__
_maxlen_of = deque.__dict__["maxlen"].__get__
_args_of = BaseException.__dict__["args"].__get__
_Namespace = type(sys.implementation)
_SORTED_NAMESPACE = sys.version_info < (3, 9)
_ODICT_AS_DICT = sys.version_info >= (3, 12)


def _qualified(kind: str) -> Callable[[Any, int], str]:
    return lambda x, limit: "<%s %s>" % (kind, clean(exact(x.__qualname__)))


def _module(x: Any, limit: int) -> str:
    for k, v in islice(dict.items(_module_ns(x)), limit + 20):  # a look-up could meet a key of the program's class
        if type(k) is str and k == "__name__":
            return "<module '%s'>" % clean(v)
    return "<module>"


def _builtin_function(x: Any, limit: int) -> str:
    owner = x.__self__
    if owner is None or type(owner) is types.ModuleType:
        return "<built-in function %s>" % clean(x.__name__)
    return "<built-in method %s of %s object>" % (clean(x.__name__), type_name(type(owner)))


_DESCRIBED = {
    types.MethodDescriptorType: "method", types.ClassMethodDescriptorType: "method",
    types.WrapperDescriptorType: "slot wrapper", types.MemberDescriptorType: "member",
    types.GetSetDescriptorType: "attribute",
}


def _descriptor(x: Any, limit: int) -> str:
    return "<%s '%s' of '%s' objects>" % (_DESCRIBED[type(x)], clean(exact(x.__name__)), short_name(x.__objclass__))


def _method_wrapper(x: Any, limit: int) -> str:
    return "<method-wrapper '%s' of %s object>" % (clean(x.__name__), type_name(type(x.__self__)))


def _method(x: Any, limit: int) -> str:
    f, owner = x.__func__, type(x.__self__)
    name = clean(exact(f.__qualname__)) if type(f) is types.FunctionType else type_name(type(f))
    if has_base(owner, type):
        return "<bound method %s of <class '%s'>>" % (name, type_name(x.__self__))
    return "<bound method %s of %s object>" % (name, type_name(owner))


def _range(x: Any, limit: int) -> Form:
    members = [("", x.start), ("", x.stop)]
    return Form("range", members if type(x.step) is int and x.step == 1 else members + [("", x.step)])


def _namespace(x: Any, limit: int) -> Form:
    ns = c_attribute(x, _Namespace, "__dict__")
    pairs = list(islice(dict.items(ns), limit + 1))
    if _SORTED_NAMESPACE and all(type(k) is str for k, _ in pairs):
        pairs.sort(key=lambda pair: pair[0])
    return Form("namespace", [(attribute(k), v) for k, v in pairs], dict.__len__(ns))


def _memoryview(x: Any, limit: int) -> Shape:
    if x.ndim == 1 and x.format == "B" and x.c_contiguous:
        return Form("memoryview", [("", Inner("bytes", x[:limit].tobytes(), total=x.nbytes))])
    return "<memoryview of %d bytes>" % x.nbytes


def _view(kind: str) -> Callable[[Any, int], Form]:
    def form(x: Any, limit: int) -> Form:
        return Form(kind, [("", Inner("list", None, list(islice(x, limit + 1)), len(x)))])
    return form


# The builtin part of an instance of such a type, or of a program's subclass of it.

def _int(x: Any, limit: int) -> Members:
    return [("", int.__index__(x))]


def _float(x: Any, limit: int) -> Members:
    return [("", float.__float__(x))]


def _complex(x: Any, limit: int) -> Members:
    return [("", complex.__pos__(x))]


def _str(x: Any, limit: int) -> Members:
    return [("", Inner("str", str.__getitem__(x, slice(0, limit)), total=str.__len__(x)))]


def _bytes(x: Any, limit: int) -> Members:
    return [("", Inner("bytes", bytes.__getitem__(x, slice(0, limit)), total=bytes.__len__(x)))]


def _bytearray(x: Any, limit: int) -> Members:
    head = bytes(bytearray.__getitem__(x, slice(0, limit)))
    return [("", Inner("bytes", head, total=bytearray.__len__(x)))]


def _container(kind: str) -> Callable[[Any, int], Members]:
    return lambda x, limit: [("", Inner(kind, x))]


def _deque(x: Any, limit: int) -> Members:
    head = list(islice(deque.__iter__(x), limit + 1))
    members = [("", Inner("list", None, head, deque.__len__(x)))]  # type: Members
    return members if _maxlen_of(x) is None else members + [("maxlen=", _maxlen_of(x))]


def _defaultdict(x: Any, limit: int) -> Members:
    return [("", _factory_of(x)), ("", Inner("dict", x))]


def _odict(x: Any, limit: int) -> Members:
    """In the order that move_to_end made, where that can be had without hashing a key of the program's class."""
    n = dict.__len__(x)
    if not n:
        return []
    pairs = list(islice(dict.items(x), limit + 1))
    if n <= limit and all_atoms(dict.keys(x)):
        values = dict(pairs)
        pairs = [(k, values[k]) for k in OrderedDict.__iter__(x)]
    return [("", Inner("dict" if _ODICT_AS_DICT else "list", None, pairs, n))]


def _exception(x: Any, limit: int) -> Members:
    args = _args_of(x)
    return [("", v) for v in islice(args, limit + 1)]


BASES = {
    id(int): _int, id(float): _float, id(complex): _complex, id(str): _str, id(bytes): _bytes,
    id(bytearray): _bytearray, id(list): _container("list"), id(tuple): _container("tuple"), id(set): _container("set"),
    id(frozenset): _container("frozenset"), id(OrderedDict): _odict, id(defaultdict): _defaultdict,
    id(dict): _container("dict"), id(deque): _deque, id(BaseException): _exception,
}  # type: Dict[int, Callable[[Any, int], Members]]


def _of_base(name: str, members: Callable[[Any, int], Members], cycle: str = "") -> Callable[[Any, int], Form]:
    return lambda x, limit: Form(name, members(x, limit), cycle=cycle)


BUILTIN_FORMS = {
    id(types.FunctionType): _qualified("function"), id(types.GeneratorType): _qualified("generator object"),
    id(types.CoroutineType): _qualified("coroutine object"),
    id(types.AsyncGeneratorType): _qualified("async_generator object"),
    id(types.BuiltinFunctionType): _builtin_function, id(types.MethodType): _method, id(types.ModuleType): _module,
    id(type): lambda x, limit: "<class '%s'>" % type_name(x),
    id(types.CodeType): lambda x, limit: "<code object %s>" % clean(exact(x.co_name)),
    id(types.MethodWrapperType): _method_wrapper, **{id(tp): _descriptor for tp in _DESCRIBED},
    id(range): _range, id(slice): lambda x, limit: Form("slice", [("", x.start), ("", x.stop), ("", x.step)]),
    id(_Namespace): _namespace, id(bytearray): _of_base("bytearray", _bytearray), id(memoryview): _memoryview,
    id(type({}.keys())): _view("dict_keys"), id(type({}.values())): _view("dict_values"),
    id(type({}.items())): _view("dict_items"), id(deque): _of_base("deque", _deque, "[...]"),
    id(defaultdict): _of_base("defaultdict", _defaultdict), id(OrderedDict): _of_base("OrderedDict", _odict, "..."),
}  # type: Dict[int, Callable[[Any, int], Shape]]


def _c_repr(x: Any, tp: type, limit: int) -> Optional[Shape]:
    """The text of the C repr, for types whose repr is short and meets nothing of the program."""
    return ns_of(tp)["__repr__"](x)  # type: ignore[no-any-return]


def _decimal(x: Any, tp: type, limit: int) -> Optional[Shape]:
    """A long one is cut as a whole, counted in bytes: its digits cannot be had in part."""
    size = ns_of(tp)["__sizeof__"](x)
    return _c_repr(x, tp, limit) if size * 3 <= limit + 400 else Form("Decimal", [], size)


def _datetime(x: Any, tp: type, limit: int) -> Optional[Shape]:
    zone = c_attribute(x, tp, "tzinfo")
    if zone is None:
        return _c_repr(x, tp, limit)
    text = _c_repr(ns_of(tp)["replace"](x, tzinfo=None), tp, limit)
    name, inside = text[:-1].split("(", 1)  # type: ignore[union-attr]
    return Form(name, [("tzinfo=", zone)], opening="(" + inside + ", ")


def _timezone(x: Any, tp: type, limit: int) -> Optional[Shape]:
    if x is ns_of(tp).get("utc"):
        return "datetime.timezone.utc"
    return Form("datetime.timezone", [("", v) for v in ns_of(tp)["__getinitargs__"](x)])


def _partial(x: Any, tp: type, limit: int) -> Optional[Shape]:
    args, keywords = c_attribute(x, tp, "args"), c_attribute(x, tp, "keywords")
    members = [("", c_attribute(x, tp, "func"))] + [("", v) for v in islice(tuple.__iter__(args), limit + 1)]
    members += [(attribute(k), v) for k, v in islice(dict.items(keywords), limit + 1)]
    return Form("functools.partial", members, 1 + tuple.__len__(args) + dict.__len__(keywords), cycle="...")


def _match(x: Any, tp: type, limit: int) -> Optional[Shape]:
    if type(c_attribute(x, tp, "string")) not in (str, bytes):
        return None
    span = ns_of(tp)["span"](x)
    return Form("", [("match=", ns_of(tp)["group"](x))], opening="<re.Match object; span=%r, " % (span,), closing=">")


def _pattern(x: Any, tp: type, limit: int) -> Optional[Shape]:
    pattern = c_attribute(x, tp, "pattern")
    return _c_repr(x, tp, limit) if type(pattern) is str or type(pattern) is bytes else None


def _array(x: Any, tp: type, limit: int) -> Optional[Shape]:
    n, code, read = ns_of(tp)["__len__"](x), c_attribute(x, tp, "typecode"), ns_of(tp)["__getitem__"]
    head = ns_of(tp)["tolist"](read(x, slice(0, limit + 1)))
    return Form("array", [("", code)] + ([("", Inner("list", None, head, n))] if n else []))


def _zone(x: Any, tp: type, limit: int) -> Optional[Shape]:
    return Form("zoneinfo.ZoneInfo", [("key=", c_attribute(x, tp, "key"))])


C_FORMS = {
    "decimal.Decimal": _decimal, "datetime.date": _c_repr, "datetime.timedelta": _c_repr, "datetime.time": _datetime,
    "datetime.datetime": _datetime, "datetime.timezone": _timezone, "functools.partial": _partial, "re.Match": _match,
    "re.Pattern": _pattern, "array.array": _array, "zoneinfo.ZoneInfo": _zone,
}  # type: Dict[str, Callable[[Any, type, int], Optional[Shape]]]


def describe_c(x: Any, tp: type, limit: int) -> Shape:
    name = type_name(tp)
    known = C_FORMS.get(name)
    form = known(x, tp, limit) if known is not None else None
    if form is not None:
        return form
    for k in mro_of(tp):
        base = BASES.get(id(k))
        if base is not None:
            return Form(short_name(tp), base(x, limit)) if k is not tuple else structseq(x, tp, name)
    ns = ns_of(tp)
    if "shape" in ns and "dtype" in ns:
        return _array_like(x, tp, name)
    return "<%s object>" % name


def structseq(x: Any, tp: type, name: str) -> Form:
    """time.struct_time and its like: tuples whose C members name the fields, in order."""
    fields = [n for n, d in ns_of(tp).items() if type(d) is types.MemberDescriptorType][:tuple.__len__(x)]
    if len(fields) < tuple.__len__(x):
        return Form(name, [("", Inner("tuple", x))])
    return Form(name, zip([f + "=" for f in fields], tuple.__iter__(x)))


def _array_like(x: Any, tp: type, name: str) -> Shape:
    """numpy.ndarray and its like, by shape and type of the members; the members are not read."""
    shape, dtype, code = c_attribute(x, tp, "shape"), c_attribute(x, tp, "dtype"), ""
    for k in mro_of(type(dtype)):
        if is_c(k) and "kind" in ns_of(k) and "itemsize" in ns_of(k):
            code = ", dtype=%s%d" % (c_attribute(dtype, k, "kind"), c_attribute(dtype, k, "itemsize"))
    return Form("", [("shape=", shape)], opening="<%s object; " % name, closing=code + ">")

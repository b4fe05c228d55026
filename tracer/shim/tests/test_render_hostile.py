"""Programs that do their worst when looked at: none of their code may run, and rendering never raises."""
import builtins
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from render import make_renderer  # noqa: E402
from render_budget import longest  # noqa: E402

HOOKS = ("__repr__ __str__ __eq__ __ne__ __lt__ __hash__ __len__ __iter__ __next__ __bool__ __format__ __dir__ __getattr__ "
         "__getattribute__ __getitem__ __contains__ __call__ __index__ __int__ __float__ __complex__ __sizeof__ "
         "__reduce__ __reduce_ex__ __instancecheck__ __subclasscheck__ __buffer__ __length_hint__ __missing__ "
         "__reversed__ __enter__ __del__ keys items values __set_name__ __bytes__ __fspath__ __copy__ __deepcopy__ "
         "__iadd__ __add__ __radd__ __neg__ __pos__ __abs__ __invert__ __round__").split()

calls = []
armed = [False]


def hook(name, real=None):
    """A method that, once armed, is counted and does what a hostile program would; it behaves before, so that the
    objects can be built."""
    def method(*args, **kwargs):
        if armed[0]:
            calls.append(name)
            sys.settrace(None)
            raise BaseException("looked at by " + name)
        return real(*args, **kwargs) if real is not None else NotImplemented
    return method


def hooks(*bases):
    ns = {}
    for name in HOOKS:
        real = next((getattr(b, name) for b in bases if hasattr(b, name)), None)
        if name != "__del__":
            ns[name] = hook(name, real)
    return ns


def trap(name):
    return property(hook(name, lambda self: None))


def hostile_class(name, *bases, slots=None):
    bases = bases or (object,)
    ns = hooks(*bases)
    ns["__class__"] = property(hook("__class__", type))
    if slots is not None:
        ns["__slots__"] = slots
    return type(name, bases, ns)


class MetaName(type):
    """A metaclass that answers in its classes' place."""
    __repr__ = hook("meta __repr__", type.__repr__)
    __getattribute__ = hook("meta __getattribute__", type.__getattribute__)
    __hash__ = hook("meta __hash__", type.__hash__)
    __eq__ = hook("meta __eq__", type.__eq__)
    __instancecheck__ = hook("meta __instancecheck__", type.__instancecheck__)
    __subclasscheck__ = hook("meta __subclasscheck__", type.__subclasscheck__)
    __call__ = type.__call__
    __name__ = trap("meta __name__")
    __module__ = trap("meta __module__")
    __mro__ = trap("meta __mro__")
    __dict__ = trap("meta __dict__")
    __bases__ = trap("meta __bases__")
    __flags__ = trap("meta __flags__")


class EvilKey(str):
    """A str subclass with the hash of another name: a look-up by that name would call __eq__."""
    def __hash__(self):
        if armed[0]:
            calls.append("key __hash__")
        return hash(str(self[:]))

    def __eq__(self, other):
        if armed[0]:
            calls.append("key __eq__")
            raise BaseException("compared")
        return str.__eq__(self, other)


def subjects():
    """(name, object, a part of its text)"""
    yield "object", hostile_class("Plain")(), "Plain("
    with_attributes = hostile_class("With")()
    object.__getattribute__(with_attributes, "__dict__").update(x=1, y=hostile_class("Deep")())
    yield "attributes", with_attributes, "With(x=1, y=Deep("
    slotted = hostile_class("Slotted", slots=("a", "b"))()
    type(slotted).__dict__["a"].__set__(slotted, 1)
    yield "slots", slotted, "Slotted(a=1)"
    for base, arg in ((list, [1]), (tuple, (1,)), (dict, {1: 2}), (set, {1}), (frozenset, {1}), (int, 3), (float, 3.5),
                      (complex, 1j), (str, "s"), (bytes, b"s"), (bytearray, b"s"), (Exception, "s")):
        cls = hostile_class("Sub" + base.__name__, base)
        yield base.__name__, cls(arg), cls.__name__ + "("
    import collections
    import decimal
    import fractions
    for base, args in ((collections.OrderedDict, ()), (collections.defaultdict, (list,)), (collections.deque, ([1],)),
                       (collections.Counter, ()), (collections.UserDict, ()), (decimal.Decimal, (1,)), (fractions.Fraction, ())):
        cls = hostile_class("Sub" + base.__name__, base)
        yield base.__name__, cls.__new__(cls, *args), "Sub" + base.__name__
    Point = collections.namedtuple("Point", "x y")
    yield "named", hostile_class("SubPoint", Point)(1, 2), "SubPoint(x=1, y=2)"
    Named = MetaName("Named", (), {})
    yield "metaclass instance", Named(), "Named()"
    yield "metaclass class", Named, "<class 'test_render_hostile.Named'>"
    keyed = type("Keyed", (), {EvilKey("__dict__x"): 1, EvilKey("__slots__"): ()})
    yield "class with keys of its own", keyed(), "Keyed"
    class Instance:
        pass
    evil = Instance()
    evil.__dict__[EvilKey("x")] = 1
    yield "instance with keys of its own", evil, "Instance("
    import functools
    import types
    Worst = hostile_class("Worst")
    worst = Worst()
    yield "in a list", [worst], "[Worst()]"
    yield "as a key", {worst: worst}, "{Worst(): Worst()}"
    yield "in a set", {worst, 1}, "{1, Worst()}"
    yield "in a deque", collections.deque([worst]), "deque([Worst()])"
    yield "key of an OrderedDict", collections.OrderedDict([(worst, 1)]), "OrderedDict("
    yield "factory", collections.defaultdict(worst), "defaultdict(Worst(), {})"
    yield "partial", functools.partial(worst, worst), "functools.partial(Worst(), Worst())"
    yield "slice", slice(worst), "slice(None, Worst(), None)"
    yield "exception", ValueError(worst), "ValueError(Worst())"
    yield "namespace", types.SimpleNamespace(a=worst), "namespace(a=Worst())"
    yield "method", types.MethodType(worst, worst), "<bound method"
    yield "iterator", map(worst, [1]), "<map object>"
    yield "cell", (lambda: worst).__closure__[0], "<cell object>"
    yield "range of a subclass", range(hostile_class("SubInt", int)(3)), "range("
    import datetime
    zone = type("Zone", (datetime.tzinfo,), dict(hooks(datetime.tzinfo), utcoffset=hook("utcoffset"), dst=hook("dst"),
                                                 tzname=hook("tzname")))()
    yield "time zone", datetime.datetime(2020, 1, 1, tzinfo=zone), "datetime.datetime(2020, 1, 1, 0, 0, tzinfo=Zone("
    yield "zone name", datetime.timezone(datetime.timedelta(1) / 2, hostile_class("SubStr", str)("n")), "datetime.timezone("
    import re
    yield "match", re.match("a", hostile_class("SubStr2", str)("a")), "<re.Match object"
    import enum

    class Color(enum.Enum):
        RED = [worst]  # an object with every attribute would pass for a descriptor
        __repr__ = hook("enum __repr__", enum.Enum.__repr__)
    yield "enum", Color.RED, "<Color.RED: [Worst()]>"
    import dataclasses

    @dataclasses.dataclass(eq=False)
    class Data:
        a: object
        __getattribute__ = hook("data __getattribute__", object.__getattribute__)
    yield "dataclass", Data(worst), "Data(a=Worst())"

    class Recursive:
        def __getattr__(self, name):
            if armed[0]:
                calls.append("__getattr__")
            return getattr(self.x, name)
    yield "recursion", Recursive(), "Recursive()"
    released = memoryview(b"abc")
    released.release()
    yield "released", released, "<unreadable memoryview: ValueError>"
    yield "named with a line end", type("a\nb<... 3", (), {})(), "'a\\nb<... 3'()"
    yield "named at length", type("n" * 10000, (), {})(), "nnn"


class Hostile(unittest.TestCase):
    def check(self, render, budget, name, subject, part, modes=("repr",)):
        calls.clear()
        tracer = sys.gettrace()
        armed[0] = True
        try:
            text, cut = render(subject)
        finally:
            armed[0] = False
        self.assertEqual(calls, [], name)
        self.assertIs(sys.gettrace(), tracer, name)
        self.assertNotIn("\n", text)
        self.assertLessEqual(len(text), longest(budget))
        if part:
            self.assertIn(part, text, name)

    def test_no_code_of_the_program_runs(self):
        for budget in ({}, {"mode": "typed"}, {"items": 0, "chars": 0}, {"depth": 1, "nodes": 1, "value_chars": 1}):
            render = make_renderer(budget)
            for name, subject, part in subjects():
                with self.subTest(subject=name, budget=budget):
                    self.check(render, budget, name, subject, "" if budget else part)

    def test_replaced_builtins_are_not_met(self):
        render = make_renderer({})
        values = [[1, {2}], {"a": (1, 2)}, Exception(1), type("P", (), {})(), 10**3000, "x" * 5000, list(range(500)), {(1,), (2,)}]
        want = [render(v) for v in values]
        names = [n for n in vars(builtins) if not n.startswith("__") and n not in ("BaseException",)]
        namespace = vars(builtins)
        had = {n: namespace[n] for n in names}

        def broken(*args, **kwargs):
            calls.append("builtin")
            raise BaseException("a builtin of the program's")
        calls.clear()
        try:
            namespace.update(dict.fromkeys(names, broken))
            got = [render(v) for v in values]
        finally:
            namespace.update(had)
        self.assertEqual(calls, [])
        self.assertEqual(got, want)

    def test_nothing_is_kept(self):
        import gc
        import weakref
        for budget in ({}, {"mode": "typed"}):
            render = make_renderer(budget)
            cls = type("Gone", (), {})
            value = cls()
            value.me = [value]
            render([value, {value: 1}])
            kept = weakref.ref(value), weakref.ref(cls)
            del value, cls
            gc.collect()
            self.assertEqual([k() for k in kept], [None, None])


if __name__ == "__main__":
    unittest.main()

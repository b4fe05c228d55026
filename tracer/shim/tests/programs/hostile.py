class Meta(type):
    def __hash__(cls): raise SystemExit("hash of a class")
    def __eq__(cls, other): raise SystemExit("== of a class")
    def __instancecheck__(cls, x): raise SystemExit("instancecheck")


class Evil(metaclass=Meta):
    def __repr__(self): raise SystemExit("repr")
    def __eq__(self, other): raise SystemExit("eq")
    def __hash__(self): raise SystemExit("hash")
    def __len__(self): raise SystemExit("len")
    def __bool__(self): raise SystemExit("bool")
    def __getattribute__(self, name): raise SystemExit("getattribute")
    __class__ = property(lambda self: 1 / 0)


class EvilInt(int):
    def __repr__(self): raise SystemExit("repr of an int")
    def __eq__(self, other): raise SystemExit("eq of an int")
    __hash__ = None


class EvilError(Exception):
    def __str__(self): raise SystemExit("str of an exception")
    __repr__ = __str__


def main():
    e = Evil()
    xs = [e, EvilInt(3)]
    d = {"k": e}
    i = EvilInt(4)
    try:
        raise EvilError(e)
    except Exception as error:
        xs = None
    return 1

# tests: exceptions out of dunder methods called by if, ==, iteration, init, a subscript and an f-string


class Bad:
    def __init__(self, fail=False):
        if fail:
            raise ValueError("init")

    def __bool__(self):
        raise TypeError("bool")

    def __eq__(self, other):
        raise KeyError("eq")

    def __iter__(self):
        yield 1
        raise OSError("iter")

    def __getitem__(self, key):
        return {}[key]

    def __format__(self, spec):
        return 1 // len(spec)


def main():
    bad, out = Bad(), []
    for use in (lambda: 1 if bad else 2, lambda: [bad] == [1], lambda: [i for i in bad], lambda: Bad(True),
                lambda: bad["k"], lambda: f"{bad}", lambda: not bad):
        try:
            out.append(use())
        except Exception as problem:
            out.append(repr(problem))
    return out

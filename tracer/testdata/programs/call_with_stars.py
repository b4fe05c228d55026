# tests: *args and **kwargs collected and spread, several of each in one call, keyword-only and positional-only


def collect(*args, **kwargs):
    return args, sorted(kwargs.items())


def strict(a, b=2, /, c=3, *, d, e=5):
    return a + b * 10 + c * 100 + d * 1000 + e * 10000


def forward(function, *args, **kwargs):
    return function(*args, **kwargs)


def main():
    base, extra = [1, 2], {"x": 1}
    out = [collect(*base, 3, *"ab", **extra, y=2, **{"z": 3})]
    out.append(forward(strict, 1, d=4))
    out.append(forward(strict, *base, **{"d": 4, "c": 0}))
    for wrong in (lambda: strict(a=1, d=2), lambda: strict(1, 2, 3, 4), lambda: collect(**{"x": 1}, x=2)):
        try:
            wrong()
        except TypeError as problem:
            out.append(type(problem).__name__)
    return out

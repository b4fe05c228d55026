# tests: a StopIteration that escapes inside a generator becomes a RuntimeError (PEP 479) with a cause


def leaky(source):
    while True:
        yield next(source) + 1


def main():
    out = []
    try:
        for x in leaky(iter([1, 2])):
            out.append(x)
    except RuntimeError as problem:
        out.append(str(problem))
        out.append(type(problem.__cause__).__name__)
    return out

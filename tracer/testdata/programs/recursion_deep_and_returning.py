# tests: sixty frames of one function at once, each with its own local, unwound by return and by exception


def sink(n):
    here = n
    return here + (sink(n - 1) if n else 0)


def fall(n):
    if n == 0:
        raise LookupError("bottom")
    fall(n - 1)


def main():
    total = sink(30)
    try:
        fall(20)
    except LookupError as problem:
        return total, str(problem)

# tests: the module raises before its entry function can be called
# status: unimportable


def limit(n):
    if n > 2:
        raise ValueError("limit %d" % n)
    return n


def main():
    return FIRST + SECOND


FIRST = limit(1)
SECOND = limit(3)

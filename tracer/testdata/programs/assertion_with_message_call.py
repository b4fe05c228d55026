# tests: an assert that holds, one whose message calls a function, and one that leaves main
# status: exception


def describe(items):
    return "%d items, want 3" % len(items)


def ensure(items):
    assert len(items) == 3, describe(items)
    return items


def main():
    ok = ensure([1, 2, 3])
    try:
        ensure(ok[:1])
    except AssertionError as problem:
        assert str(problem).startswith("1 ")
    ok.append(4)
    return ensure(ok)

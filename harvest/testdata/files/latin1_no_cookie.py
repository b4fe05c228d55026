def f():
    return "é"
assert f()

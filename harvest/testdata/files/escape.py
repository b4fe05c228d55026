def f():
    return "\d"
assert f() == "\d"
assert 1 is 1

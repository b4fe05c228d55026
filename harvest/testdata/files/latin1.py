# -*- coding: latin-1 -*-
def f():
    return "é"
assert f() == "é"

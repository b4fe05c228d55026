# coding: utf-7
def f():
    return "+2AA-"

assert f() == 1

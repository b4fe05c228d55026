# coding: utf8mb4
def f():
    return 1

assert f() == 1

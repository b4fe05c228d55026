# tests: a nested tuple of types
# status: exception
# detail: RecursionError
def f():
    exec("kinds = (int,)\nfor _ in range(100000): kinds = (kinds,)\nisinstance('', kinds)")

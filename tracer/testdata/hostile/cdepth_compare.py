# tests: two nested values that are compared
# status: exception
# detail: RecursionError
def f():
    exec("a = []\nb = []\nfor _ in range(100000): a, b = [a], [b]\na == b")

# tests: a nested value, as a program shows it and as a trace does
# status: exception
# detail: RecursionError
KEPT = []


def f():
    exec("value = []\nfor _ in range(100000): value = [value]\nkept.append(value)", {'kept': KEPT})
    value = KEPT[0]
    return repr(value)

# tests: values whose renderings would have no end
# output: 'rendered'
KEPT = []


def f():
    exec("a = [1]\nfor _ in range(60): a = [a, a]\nb = 'x' * (1 << 22)\nkept += [a, b, {i: b for i in range(1000)}]", {'kept': KEPT})
    return 'rendered'

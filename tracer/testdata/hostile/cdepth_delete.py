# tests: a long chain that is given up at once
# output: 'freed'
def f():
    exec("a = None\nfor _ in range(10**6): a = (a,)\ndel a")
    return 'freed'

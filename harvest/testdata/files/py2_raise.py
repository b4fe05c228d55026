def f(x):
    raise ValueError, "x"

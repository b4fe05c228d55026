def f(x):
    return x
if "__main__" == __name__:
    f(1)
else:
    f(2)

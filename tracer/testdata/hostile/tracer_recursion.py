# tests: meets the recursion limit where the tracer meets it too, and goes on
# status: tracer_lost
def g(n):
    return g(n + 1)


def f():
    try:
        g(0)
    except RecursionError:
        return 1

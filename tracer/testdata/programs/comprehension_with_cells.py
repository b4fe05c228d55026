# tests: comprehension variables that are cells, captured by lambdas, beside a cell of the enclosing function


def make(base):
    late = [lambda: base + i for i in range(3)]
    bound = [lambda i=i: base + i for i in range(3)]
    base *= 10
    return late, bound


def shadow(i):
    getters = {name: (lambda: (name, i)) for name in "ab"}
    inner = [i for i in range(2)]
    return [g() for g in getters.values()], inner, i


def main():
    late, bound = make(1)
    return [f() for f in late], [f() for f in bound], shadow("own")

# tests: lambdas with defaults, stored in containers, returned, recursive by name, and on one line with their call
OPERATIONS = {"double": lambda x: x * 2, "add": lambda x, y=5: x + y}


def compose(*functions):
    return lambda x: x if not functions else compose(*functions[1:])(functions[0](x))


def main():
    factorial = lambda n: 1 if n < 2 else n * factorial(n - 1)
    both = compose(OPERATIONS["double"], OPERATIONS["add"])
    fixed = (lambda a, *, b=factorial(3): a + b)(1)
    pick = (lambda: "left") if fixed > 100 else (lambda: "right")
    return factorial(4), both(10), fixed, pick(), OPERATIONS["add"](1, y=2)

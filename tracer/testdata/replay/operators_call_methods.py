class Money:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return Money(self.n + other.n)

    def __eq__(self, other):
        return self.n == other.n

    def __bool__(self):
        return self.n != 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return name.upper()


def main():
    a = Money(1) + Money(2)
    ok = a == Money(3) and not Money(0)
    return ok, a.currency, hasattr(a, "_hidden")

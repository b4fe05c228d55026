# tests: + - * @ in place, reflected and unary operators run methods; NotImplemented goes to the other side


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        if isinstance(other, Money):
            return Money(self.cents + other.cents)
        return NotImplemented

    def __radd__(self, other):
        return Money(other * 100 + self.cents)

    def __iadd__(self, other):
        self.cents += other.cents
        return self

    def __matmul__(self, rate):
        return Money(self.cents * rate // 100)

    def __neg__(self):
        return Money(-self.cents)


def main():
    a, b = Money(150), Money(50)
    alias = a
    a += b
    summed = sum([a, b])
    swapped = 2 + a
    cut = -(a + b) @ 50
    try:
        a + "x"
    except TypeError:
        refused = True
    return alias.cents, summed.cents, swapped.cents, cut.cents, refused

# tests: int, float, round, abs, divmod, pow with modulus, ~, shifts and in-place ones run methods of a number class


class Num:
    def __init__(self, n):
        self.n = n

    def __int__(self):
        return int(self.n)

    __index__ = __int__

    def __float__(self):
        return self.n / 2

    def __round__(self, digits=None):
        return Num(round(self.n, digits))

    def __abs__(self):
        return Num(abs(self.n))

    def __divmod__(self, other):
        return divmod(self.n, other)

    def __pow__(self, other, modulus=None):
        return pow(int(self.n), other, modulus)

    def __invert__(self):
        return Num(~int(self.n))

    def __ilshift__(self, other):
        self.n = int(self.n) << other
        return self


def main():
    a = Num(-7)
    out = [int(a), float(a), round(a).n, abs(a).n, divmod(a, 2), pow(a, 2, 5), a ** 2, (~a).n]
    b = a
    b <<= 1
    return out, a.n, round(Num(2.345), 2).n, range(3)[Num(1)]

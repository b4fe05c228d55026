# tests: __format__, __str__, __repr__ and __bytes__ called by f-strings, str.format, % and built-in functions


class Angle:
    def __init__(self, degrees):
        self.degrees = degrees

    def __format__(self, spec):
        if spec == "rad":
            return "%.2f" % (self.degrees * 3.14159 / 180)
        return str(self) + spec

    def __str__(self):
        return "%d deg" % self.degrees

    def __repr__(self):
        return "Angle(%r)" % self.degrees

    def __bytes__(self):
        return bytes([self.degrees])

    def __index__(self):
        return self.degrees


def main():
    a = Angle(90)
    texts = [f"{a}", f"{a:rad}", f"{a!r:>10}", "{0:!}".format(a), "%s and %r" % (a, a)]
    return texts, [a], bytes(a), hex(a), "x" * Angle(3), [0, 1, 2, 3][Angle(2)]

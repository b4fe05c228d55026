# tests: calling a class runs __new__ and __init__, an instance with __call__, and __new__ may give another type


class Unit:
    cache = {}

    def __new__(cls, name):
        if name == "none":
            return None
        if name not in cls.cache:
            cls.cache[name] = super().__new__(cls)
        return cls.cache[name]

    def __init__(self, name):
        self.name = name
        self.used = getattr(self, "used", 0) + 1

    def __call__(self, amount, *more):
        return "%d %s" % (amount + sum(more), self.name)


def main():
    metre = Unit("m")
    same = Unit("m") is metre
    nothing = Unit("none")
    texts = [metre(2), metre(1, 2, 3)]
    return same, nothing, texts, metre.used, list(map(metre, [7, 8]))

# tests: a class as decorator, with __call__ and __get__, and a decorator that changes a class


class Counted:
    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)

    def __get__(self, instance, owner):
        return lambda *args: self(instance, *args)


def registered(registry):
    def decorate(cls):
        registry[cls.__name__] = cls
        cls.label = property(lambda self: "<%s>" % self.name)
        return cls
    return decorate


REGISTRY = {}


@registered(REGISTRY)
class Item:
    def __init__(self, name):
        self.name = name

    @Counted
    def repeat(self, n):
        return self.name * n


def main():
    item = REGISTRY["Item"]("ab")
    return item.label, item.repeat(2), item.repeat(1), vars(Item)["repeat"].calls

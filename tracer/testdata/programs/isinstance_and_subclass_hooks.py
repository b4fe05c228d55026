# tests: __instancecheck__, __subclasscheck__ and __subclasshook__ called by isinstance, issubclass and except
from abc import ABC


class Even(type):
    def __instancecheck__(cls, value):
        return value % 2 == 0

    def __subclasscheck__(cls, other):
        return other.__name__.startswith("E")


class EvenNumber(metaclass=Even):
    pass


class Sized2(ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "size") or NotImplemented


class Crate:
    size = 1


def main():
    checks = [isinstance(n, EvenNumber) for n in (1, 2)]
    checks.append(isinstance(4, (str, EvenNumber)))
    kinds = issubclass(Ellipsis.__class__, EvenNumber), issubclass(Crate, Sized2), issubclass(int, Sized2)
    return checks, kinds

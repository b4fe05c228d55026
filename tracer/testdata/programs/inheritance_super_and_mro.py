# tests: super() through a diamond, a classmethod, a staticmethod, and an abstract method that is called


from abc import ABC, abstractmethod


class Base(ABC):
    @abstractmethod
    def parts(self):
        return ["base"]

    @classmethod
    def build(cls, *args):
        return cls(*args).parts()

    @staticmethod
    def join(parts):
        return ">".join(parts)


class Left(Base):
    def parts(self):
        return ["left"] + super().parts()


class Right(Base):
    def parts(self):
        return ["right"] + super().parts()


class Both(Left, Right):
    def parts(self):
        return ["both"] + super().parts()


def main():
    try:
        Base()
    except TypeError as problem:
        abstract = "abstract" in str(problem)
    return Both.join(Both.build()), Right.build(), abstract

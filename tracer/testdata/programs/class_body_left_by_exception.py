# tests: a class statement whose body raises leaves no class, and the name keeps what it had


def broken():
    raise NotImplementedError("field")


def main():
    Model = "earlier"
    try:
        class Model:
            first = 1
            second = broken()
            third = 3
    except NotImplementedError as problem:
        message = str(problem)

    class Base:
        value = 7

    try:
        class Odd(Base, 5):
            value = 8
    except TypeError:
        message += "/base"
    return Model, message, Base.value

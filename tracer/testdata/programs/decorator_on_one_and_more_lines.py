# tests: a decorated function's call starts at its first decorator, which may span lines and take arguments
from functools import wraps


def times(count, join="+"):
    def decorate(function):
        @wraps(function)
        def wrapper(*args):
            return join.join(function(*args) for _ in range(count))
        return wrapper
    return decorate


def shout(function):
    return lambda *args: function(*args).upper()


@shout
def plain(word):
    return word


@times(
    2,
    join="/",
)
@shout
def layered(word):
    inner = word[::-1]
    return inner


def main():
    return plain("one"), layered("abc"), layered.__name__

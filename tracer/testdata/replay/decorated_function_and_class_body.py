import functools


def twice(fn):
    @functools.wraps(fn)
    def inner(*args):
        return fn(*args) * 2
    return inner


def main():
    class Box:
        size = 3

        @property
        def double(self):
            return self.size * 2

        @twice
        def grow(self, n):
            self.size += n
            return self.size

    box = Box()
    return box.grow(2), box.double

# tests: the entry is left by an exception of the program's own class, raised two calls below
# status: exception


class Rejected(Exception):
    def __init__(self, item, reason):
        super().__init__(item, reason)
        self.item = item


def check(item):
    if item < 0:
        raise Rejected(item, "negative")
    return item


def check_all(items):
    return [check(i) for i in items]


def main():
    return check_all([3, 1, -4, 1])

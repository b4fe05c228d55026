# tests: global and nonlocal assigned by inner functions, and a global made by a function
counter = 0


def bump(by):
    global counter, created
    counter += by
    created = "made by %d" % by
    return counter


def make():
    count = 0

    def up():
        nonlocal count
        count += 1

        def both():
            nonlocal count
            count *= 10
            return count

        return both()

    return up, lambda: count


def main():
    up, read = make()
    values = [up(), read(), up(), read()]
    return values, bump(2), bump(3), created

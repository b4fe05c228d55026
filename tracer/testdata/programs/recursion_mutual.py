# tests: two functions that call each other, with the same names for their locals at each depth


def is_even(n, trail):
    trail.append("e%d" % n)
    return True if n == 0 else is_odd(n - 1, trail)


def is_odd(n, trail):
    trail.append("o%d" % n)
    return False if n == 0 else is_even(n - 1, trail)


def main():
    trail = []
    answers = is_even(4, trail), is_odd(2, trail)
    return answers, trail

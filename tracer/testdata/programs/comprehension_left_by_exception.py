# tests: an exception in a comprehension's element or condition leaves it and its enclosing frame


def inverse(n):
    return 12 // n


def invert(numbers):
    try:
        return [inverse(n) for n in numbers]
    except ZeroDivisionError:
        numbers = [n for n in numbers if n]
        return {n: inverse(n) for n in numbers}


def count(words):
    return {w: len(w) for w in words if w.islower()}


def main():
    out = [invert([3, 4]), invert([3, 0, 4])]
    try:
        out.append(count(["ab", 5, "c"]))
    except AttributeError:
        out.append("no word")
    return out

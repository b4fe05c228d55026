# tests: a frame left by an exception, one that returns None, and one that returns after swallowing an exception


def leaves(n):
    return 10 // n


def returns_none(n):
    if n:
        return
    n = 1


def swallows(n):
    try: return leaves(n)
    except ZeroDivisionError: return None


def main():
    out = [returns_none(0), returns_none(1), swallows(0), swallows(5)]
    try:
        leaves(0)
    except ZeroDivisionError as problem:
        out.append(problem.args[0].split()[-1])
    return out

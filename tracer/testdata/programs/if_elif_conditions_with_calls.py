# tests: elif chains, nested ifs and conditions that call, compare and negate; which lines an untaken branch shows


def size(n):
    return "small" if n < 3 else "large"


def grade(n):
    if n < 0:
        return "negative"
    elif size(n) == "small":
        if not n:
            pass
        elif n == 1:
            return "one"
        return "few"
    elif n > 100 and size(n):
        return "huge"
    else:
        if n % 2: return "odd"
        else: n += 1
    return "even then %d" % n


def main():
    return [grade(n) for n in (-1, 0, 1, 2, 101, 5, 6)]

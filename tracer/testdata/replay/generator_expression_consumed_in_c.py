def keep(x):
    return x % 2


def main():
    odd = (x for x in range(5) if keep(x))
    return sum(odd), max(len(w) for w in "a bbb cc".split())

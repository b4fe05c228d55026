# tests: a source that ends without a line end, in the middle of the entry function, whose last line returns


def halve(n):
    return n // 2


def main():
    n = 9
    while n > 2:
        n = halve(n)
    return (n,
            halve(n))
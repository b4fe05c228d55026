def yes(x):
    return x


def main():
    a = yes(0) or yes(1) and yes(2)
    b = yes("t") if yes(a) else yes("f")
    c = (lambda n: n * 2)(yes(4)); d = c + 1
    return a, b, c, d

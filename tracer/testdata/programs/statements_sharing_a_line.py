# tests: several statements on a line, a loop and its body on one line, one-line functions and classes


def one(n): return n + 1


class Tiny: size = one(1); double = size * 2


def main():
    a = one(1); b = one(a); c = a + b
    for i in range(3): a += i; b -= i
    while c > 3: c -= 2
    if c: d = one(c); e = d
    try: one("x")
    except TypeError: e = -1
    with open("/dev/null") as f: size = len(f.read())
    f = lambda n: one(n); g = [f(n) for n in (1, 2)]; return a, b, c, d, e, size, g, Tiny.double

def main():
    k = 2
    xs = [x * k for x in range(2)]
    ds = {x: 1 for x in xs if x}
    gen = sum(x for x in xs)
    nested = [[y for y in range(x)] for x in xs]
    return xs, ds, gen, nested

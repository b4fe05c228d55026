def main():
    fs = []
    g = lambda: k
    k = 1
    xs = [k for k in range(2)]
    def bump():
        nonlocal k
        k += 1
    bump()
    d = locals()
    n = len(d)
    return g(), xs, n

# tests: the entry function is called again by the program while it runs: depth, not name, tells the activations apart


def helper(n):
    return main(n - 1) if n else "bottom"


def main(n=2):
    inner = helper(n)
    return inner + str(n)

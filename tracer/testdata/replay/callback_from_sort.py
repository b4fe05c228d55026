def key(pair):
    name, n = pair
    return -n, name


def main():
    pairs = [("b", 1), ("a", 1), ("c", 2)]
    pairs.sort(key=key)
    return pairs, list(map(lambda p: p[0], pairs))

def walk(tree):
    if not tree:
        return 0
    left, value, right = tree
    return walk(left) + value + walk(right)


def main():
    leaf = (None, 1, None)
    return walk((leaf, 2, (None, 3, leaf)))

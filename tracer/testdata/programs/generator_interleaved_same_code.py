# tests: two live frames of the same generator function, advanced in turn and never confused


def letters(word):
    for position, letter in enumerate(word):
        doubled = letter * 2
        yield position, doubled


def main():
    left, right = letters("ab"), letters("xyz")
    merged = []
    for (i, a), (j, b) in zip(left, right):
        merged.append(a + b)
        assert i == j
    merged.extend(pair[1] for pair in right)
    return merged

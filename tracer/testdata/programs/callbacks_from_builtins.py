# tests: sorted, min, max, map and filter call Python functions back from C, lazily or at once


def weight(word):
    return len(word), word[-1]


def is_short(word):
    return len(word) < 4


def pair(a, b):
    return a + ":" + str(b)


def main():
    words = ["pear", "fig", "apple", "kiwi"]
    ordered = sorted(words, key=weight)
    words.sort(key=lambda w: w[1], reverse=True)
    longest = max(words, key=len)
    smallest = min(words, key=weight)
    lazy = map(pair, words, range(2))
    first = next(lazy)
    rest = list(lazy)
    short = list(filter(is_short, words))
    return ordered, words, longest, smallest, first, rest, short

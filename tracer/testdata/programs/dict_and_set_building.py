# tests: dicts and sets built in loops: counting, grouping, inverting, merging, defaultdict and Counter callbacks
from collections import Counter, OrderedDict, defaultdict


class Lists(dict):
    def __missing__(self, key):
        self[key] = []
        return self[key]


def main():
    counts, by_length = {}, Lists()
    for word in "to be or not to be".split():
        counts[word] = counts.get(word, 0) + 1
        by_length[len(word)].append(word)
    doubled = defaultdict(lambda: len(counts))
    doubled["x"] += 1
    seen = set()
    for n in (3, 1, 3, 2):
        if n in seen:
            break
        seen.add(n)
    ordered = OrderedDict(b=1, a=2)
    ordered.move_to_end("b")
    common = Counter("banana").most_common(1)
    return {**counts, "extra": 1}, by_length, dict(doubled), seen, list(ordered), common

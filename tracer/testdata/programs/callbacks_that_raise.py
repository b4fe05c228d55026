# tests: an exception in a callback passes through sorted, map, max and a key in min, and is caught outside


def fragile(n):
    if n == 3:
        raise ValueError("three")
    return -n


def attempt(function, items):
    try:
        return function(items)
    except ValueError as problem:
        return "failed: %s" % problem


def main():
    items = [1, 3, 2]
    kept = list(items)
    return [
        attempt(lambda xs: sorted(xs, key=fragile), items),
        attempt(lambda xs: list(map(fragile, xs)), items[:1]),
        attempt(lambda xs: list(map(fragile, xs)), items),
        attempt(lambda xs: max(xs, key=fragile), [5, 6]),
        attempt(lambda xs: xs.sort(key=fragile), items),
        items == kept,
    ]

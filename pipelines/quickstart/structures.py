"""Nested lists, dicts and sets, made, searched and changed in place."""


def flatten(tree):
    """
    >>> flatten([1, [2, [3, []]], 4])
    [1, 2, 3, 4]
    >>> flatten([])
    []
    """
    flat = []
    for item in tree:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(item)
    return flat


def dig(data, *path, default=None):
    """
    >>> dig({"a": [{"b": 7}]}, "a", 0, "b")
    7
    >>> dig({"a": 1}, "z", default="none")
    'none'
    """
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return default
    return data


def append_twice(bucket, item):
    bucket.append(item)
    bucket.append(item)


def filled(item, start=()):
    """The callee changes its caller's list.

    >>> filled("x")
    ['x', 'x', 'x', 'x']
    >>> filled(0, start=(1,))
    [1, 0, 0, 0, 0]
    """
    bucket = list(start)
    append_twice(bucket, item)
    append_twice(bucket, item)
    return bucket


def group_by_length(words):
    """
    >>> group_by_length(["a", "bb", "c", "dd"])
    {1: ['a', 'c'], 2: ['bb', 'dd']}
    >>> group_by_length([])
    {}
    """
    lengths = sorted({len(word) for word in words})
    return {n: [word for word in words if len(word) == n] for n in lengths}


def compare_sets(left, right):
    """
    >>> compare_sets([1, 2, 3], [3, 4])
    {'both': [3], 'left': [1, 2], 'right': [4]}
    >>> compare_sets("ab", "ab")
    {'both': ['a', 'b'], 'left': [], 'right': []}
    """
    a, b = set(left), set(right)
    return {"both": sorted(a & b), "left": sorted(a - b), "right": sorted(b - a)}


def merge(*records, **extra):
    """
    >>> merge({"a": 1}, {"b": 2}, c=3)
    {'a': 1, 'b': 2, 'c': 3}
    >>> merge()
    {}
    """
    merged = {}
    for record in records:
        merged.update(record)
    merged.update(extra)
    return merged


if __name__ == "__main__":
    append_twice([], "once")
    append_twice(bucket=[1], item=2)

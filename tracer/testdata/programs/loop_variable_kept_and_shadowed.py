# tests: names that outlive their loop, shadow builtins and arguments, and change their type at each turn


def walk(item, list=None):
    for item in (item, str(item), [item]):
        last = item
    for list, in [(1,), (2,)]:
        pass
    return item, last, list


def main():
    for x in 1, "two", 3.0, None, [x for x in "ab"]:
        pass
    sum = max = 0
    for i, sum in enumerate([5, 6]):
        max = i if sum > 5 else max
    return x, sum, max, walk(7)

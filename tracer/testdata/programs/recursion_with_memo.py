# tests: a memo in a default argument that outlives the call, and one passed down, both seen from each frame


def partitions(n, largest, memo={}):
    if n == 0:
        return 1
    if n < 0 or largest == 0:
        return 0
    key = (n, largest)
    if key not in memo:
        memo[key] = partitions(n - largest, largest) + partitions(n, largest - 1)
    return memo[key]


def main():
    first = partitions(3, 3)
    known = len(partitions.__defaults__[0])
    second = partitions(3, 3)
    return first, known, second

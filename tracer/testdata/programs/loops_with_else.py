# tests: for-else and while-else, left by break, by exhaustion, by continue, and with nothing to iterate over


def find(items, wanted):
    for position, item in enumerate(items):
        if item == wanted:
            break
        if item < 0:
            continue
        wanted -= 0
    else:
        position = -1
    return position


def drain(n):
    while n:
        n -= 2
        if n < 0:
            break
    else:
        return "even"
    return "odd"


def main():
    return find([4, -1, 6], 6), find([4], 5), find([], 1), drain(4), drain(3), drain(0)

def count(n):
    i = 0
    while i < n:
        yield i
        i += 1


def main():
    total = 0
    for x in count(3):
        total += x
    return total

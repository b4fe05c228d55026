# tests: := in while, if, a comprehension (binds outside of it) and an argument


def halve(n):
    return n // 2


def main():
    n, steps = 20, []
    while (n := halve(n)) > 1:
        steps.append(n)
    if (length := len(steps)) > 2 and (last := steps[-1]):
        steps.append(length + last)
    doubled = [half for s in steps if (half := halve(s)) > 1]
    total = sum([largest := max(steps), len(doubled)])
    return steps, doubled, half, total, largest

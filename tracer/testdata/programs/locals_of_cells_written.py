# tests: cells changed by an inner function while an outer frame is being read
# watched: a tracer that writes stale locals back into cells would undo the change


def main():
    total = 0
    seen = []

    def add(n):
        nonlocal total
        total += n
        seen.append(total)
        return total

    for n in (1, 2, 3):
        add(n)
        total = total * 1
    pairs = [(n, add(n)) for n in range(2)]
    return total, seen, pairs

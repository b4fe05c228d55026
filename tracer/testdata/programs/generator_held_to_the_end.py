# tests: a suspended generator that a module name still holds when the entry has returned
HELD = []


def endless(label):
    n = 0
    try:
        while True:
            yield label + str(n)
            n += 1
    finally:
        HELD.append("closed after the end")


def main():
    g = endless("g")
    HELD.append(g)
    first = next(g)
    second = next(g)
    return first, second, len(HELD)

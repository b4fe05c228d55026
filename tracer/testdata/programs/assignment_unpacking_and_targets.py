# tests: star assignment, nested targets, chained targets evaluated left to right, swaps, attribute and item targets


class Bag:
    pass


def place(log, name):
    log.append(name)
    return 0


def main():
    first, *middle, last = range(5)
    (a, [b, *c]), d = (1, "xyz"), {}
    a, b = b, a
    bag, log, cells = Bag(), [], [0, 0]
    bag.x, cells[place(log, "left")] = d["k"] = (7, 8)
    i = cells[i] = 1 if (i := 0) else 1
    for bag.x, (cells[0], *rest) in [(1, "pq"), (2, "rst")]:
        log.append(rest)
    try:
        a, b = [1]
    except ValueError:
        log.append((a, b))
    return first, middle, last, c, d, bag.x, cells, i, log

# tests: a mutable default shared by calls, defaults computed at def time, and a default that names an earlier local
LOG = []


def note(text):
    LOG.append(text)
    return len(LOG)


def gather(item, bag=[], *, number=note("default")):
    bag.append(item)
    return list(bag), number


def main():
    start = 5
    first = gather("a")
    second = gather("b")
    own = gather("c", [])

    def late(x=start):
        return x, start

    start = 6
    return first, second, own, late(), LOG

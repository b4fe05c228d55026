# tests: len, bool, in, subscripts with slices, del, iteration and reversed run the methods of a container


class Ring:
    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self.items[index % len(self.items)]

    def __setitem__(self, index, value):
        self.items[index % len(self.items)] = value

    def __delitem__(self, index):
        del self.items[index % len(self.items)]

    def __contains__(self, item):
        return any(item == mine for mine in self.items)


def main():
    ring = Ring(1, 2, 3)
    ring[4] += 10
    part = ring[0:2]
    has = 12 in ring, 2 in ring
    del ring[-1]
    backwards = list(reversed(ring))
    emptied = Ring()
    return part, has, backwards, "full" if ring else "empty", "full" if emptied else "empty"

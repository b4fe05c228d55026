# tests: __iter__ and __next__ called by for, unpacking, list and zip; iter() with a sentinel calls a function


class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return CountdownIterator(self.start)


class CountdownIterator:
    def __init__(self, now):
        self.now = now

    def __iter__(self):
        return self

    def __next__(self):
        if self.now <= 0:
            raise StopIteration
        self.now -= 1
        return self.now + 1


def main():
    out = []
    for n in Countdown(2):
        out.append(n)
    a, b, *rest = Countdown(3)
    pairs = list(zip(Countdown(2), "ab"))
    pending = [5, 0, 6]
    until_zero = list(iter(lambda: pending.pop(0), 0))
    return out, (a, b, rest), pairs, until_zero, pending

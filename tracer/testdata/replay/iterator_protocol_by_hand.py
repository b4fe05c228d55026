class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


def main():
    return list(Countdown(2)), [x for x in Countdown(3)], 1 in Countdown(2)

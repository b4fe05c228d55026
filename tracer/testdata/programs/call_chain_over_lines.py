# tests: calls with arguments over several lines and method chains, where line numbers jump backwards


class Query:
    def __init__(self, items):
        self.items = items

    def where(self, test):
        return Query([i for i in self.items if test(i)])

    def map(self, function):
        return Query([function(i) for i in self.items])

    def total(self):
        return sum(self.items)


def blend(a, b, *, scale):
    return (a + b) * scale


def main():
    result = blend(
        Query(range(4))
        .where(lambda i: i > 1)
        .map(
            lambda i:
            i * i
        )
        .total(),
        len(
            "four"
        ),
        scale=blend(1, 1,
                    scale=1),
    )
    table = {
        "a": blend(0, 1, scale=2),
        "b": [
            result,
        ],
    }
    return table

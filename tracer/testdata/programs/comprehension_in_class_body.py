# tests: comprehensions in a class body see its first iterable only, and names of the module for the rest
SCALE = 10


class Table:
    SCALE = 3
    rows = [SCALE * n for n in range(3)]
    names = {"n%d" % r: r for r in rows}
    total = sum(r for r in rows)

    class Inner:
        squares = [n * n for n in range(3) if n]

    def first(self):
        return [self.rows[0] + n for n in self.Inner.squares]


def main():
    local = [n for n in Table.names]

    class Inside:
        doubled = [n + n for n in local]

    return Table.rows, Table.names, Table.total, Table().first(), Inside.doubled

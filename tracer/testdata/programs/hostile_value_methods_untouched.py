# tests: locals whose __repr__, __eq__, __hash__, __len__ and __bool__ raise or count: showing them must call none
# watched: a renderer that calls the program's methods changes the count


class Touchy:
    calls = 0

    def touched(self, *args):
        Touchy.calls += 1
        raise RuntimeError("touched")

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __bool__ = __iter__ = __contains__ = touched

    def __getattr__(self, name):
        Touchy.calls += 1
        raise RuntimeError(name)


def hold(thing):
    inside = [thing]
    table = {"t": thing}
    return inside, table


def main():
    thing = Touchy()
    kept = hold(thing)
    again = kept[0][0] is thing
    return Touchy.calls, again

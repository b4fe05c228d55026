# tests: __hash__ and __eq__ called by dict and set operations, with keys that collide


class Key:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return len(self.name)

    def __eq__(self, other):
        return isinstance(other, Key) and self.name.lower() == other.name.lower()


def main():
    table = {Key("ab"): 1}
    table[Key("cd")] = 2
    table[Key("AB")] = 3
    found = table.get(Key("Cd"), 0)
    absent = Key("xyz") in table
    unique = {Key("q"), Key("Q"), Key("r")}
    gone = table.pop(Key("aB"))
    return found, absent, len(unique), gone, [k.name for k in table]

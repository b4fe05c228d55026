# tests: match over sequences, mappings, literals, or-patterns and captures, with guards that call a function
# requires: 3.10


def positive(n):
    return n > 0


def route(command):
    match command:
        case []:
            return "empty"
        case ["go", ("north" | "south") as way]:
            return "to " + way
        case ["add", x, *rest] if positive(x):
            return x + len(rest)
        case ["add", *_]:
            return "refused"
        case {"kind": "point", "at": [x, y], **more}:
            return x, y, more
        case str() | bytes():
            return "text"
        case 1 | 2 | None:
            return "constant"
        case _:
            return "other"


def main():
    commands = [[], ["go", "south"], ["add", 2, 3, 4], ["add", -1], {"kind": "point", "at": (1, 2), "z": 3},
                b"raw", None, 2.5]
    return [route(c) for c in commands]

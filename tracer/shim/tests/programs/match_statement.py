# requires: 3.10
def kind(x):
    match x:
        case [a, b]:
            return a
        case {"k": v}:
            return v
        case _:
            return None


def main():
    return kind([1, 2]), kind({"k": 3}), kind(0)

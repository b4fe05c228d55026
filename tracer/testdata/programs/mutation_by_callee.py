# tests: a callee changes its caller's list, dict, set, bytearray and object in place, and rebinds only its own name


class Cell:
    value = 0


def change(numbers, table, cell, raw, unique):
    numbers.append(3)
    numbers[0] = "x"
    table.setdefault("k", []).append(1)
    cell.value += 5
    raw.extend(b"yz")
    unique.discard(1)
    numbers = ["own"]
    return numbers


def main():
    numbers, table, cell, raw, unique = [1, 2], {}, Cell(), bytearray(b"a"), {1, 2}
    own = change(numbers, table, cell, raw, unique)
    change(numbers, table, cell, raw, unique)
    return numbers, table, cell.value, bytes(raw), unique, own

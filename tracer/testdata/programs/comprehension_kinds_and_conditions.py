# tests: list, set and dict comprehensions, with conditions, nested loops and a comprehension as the element


def keep(n):
    return n % 3 != 1


def main():
    numbers = list(range(6))
    kept = [n * n for n in numbers if keep(n) if n]
    residues = {n % 3 for n in numbers}
    table = {n: "odd" if n % 2 else "even" for n in numbers[:3]}
    grid = [[r * c for c in range(2)] for r in range(3)]
    flat = [cell for row in grid for cell in row if cell]
    swapped = {v: k for k, v in table.items()}
    return kept, sorted(residues), table, grid, flat, swapped

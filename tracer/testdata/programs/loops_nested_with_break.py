# tests: break and continue of the inner loop only, a flag for the outer, and an infinite loop left in the middle


def search(grid, wanted):
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            if cell is None:
                break
            if cell != wanted:
                continue
            found = (r, c)
            break
        else:
            continue
        if cell is not None:
            return found
    return None


def digits(n):
    out = []
    while True:
        n, digit = divmod(n, 10)
        out.append(digit)
        if not n:
            break
    return out


def main():
    grid = [[1, 2], [None, 3], [4, 3, 5]]
    return search(grid, 3), search(grid, 9), digits(204)

# tests: one object under several names and inside itself: aliases, slices, shallow and deep copies
import copy


def main():
    row = [0, 0]
    grid = [row] * 2
    grid[0][1] = 7
    alias = grid
    shallow = copy.copy(grid)
    deep = copy.deepcopy(grid)
    part = grid[:]
    row.append("end")
    alias.append(row)
    cyclic = [1]
    cyclic.append(cyclic)
    cyclic[1][1][0] = 2
    same = grid is alias, shallow[0] is row, deep[0] is deep[1], part == shallow
    return grid, deep, same, cyclic[0], cyclic[1] is cyclic

def change(items, seen=[]):
    items.append(len(seen))
    seen.append(items)
    del items
    return seen


def main():
    mine = [1]
    alias = mine
    change(alias)
    alias = change(mine)
    del mine
    return alias

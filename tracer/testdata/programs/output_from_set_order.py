# tests: a loop over a set of strings, whose order depends on the hash seed
# nondeterministic: PYTHONHASHSEED differs from run to run unless it is pinned
# status: nondeterministic


def visit(names):
    order = []
    for name in names:
        order.append(name[0])
    return "".join(order)


def main():
    names = {"ash", "birch", "cedar", "elm", "fir", "gum", "hazel", "ivy", "juniper", "larch"}
    return visit(names)

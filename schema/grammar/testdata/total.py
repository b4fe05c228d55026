def total(xs):
    s = 0
    for x in xs:
        s += x
    return s

def main():
    return total([1, 2])

def push(xs):
    xs.append(len(xs))


def main():
    a = []
    b = a
    d = {"a": a}
    push(a)
    b += [True]
    a[0] = False
    t = (1, [2])
    t[1].append(3)
    s = {1}
    s.add(2.0)
    x = 1
    x = True
    x = 1.0
    x = 1.0
    x = None
    return d

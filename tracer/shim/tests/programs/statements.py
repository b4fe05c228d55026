def add(a, b):
    return a + b


def main():
    x = add(
        1,
        add(2,
            3),
    )
    n = 2
    while True:
        n -= 1
        if n: continue
        break
    y = (x and
         n or
         add(0, 0))
    class Local:
        attr = x

        def method(self):
            return Local
    z = lambda: x
    del n
    n = z()
    return y

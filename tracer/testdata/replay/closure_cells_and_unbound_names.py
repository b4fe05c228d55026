def counter():
    n = 0

    def step():
        nonlocal n
        n += 1
        return n

    step()
    late = step()
    return step, late


def main():
    step, late = counter()
    try:
        missing
    except NameError as error:
        kind = type(error).__name__
    if late > 5:
        missing = 1
    return step(), late, kind

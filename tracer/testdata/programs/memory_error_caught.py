# tests: a MemoryError for an impossible size, caught, after which the program goes on


def reserve(size):
    return len(bytearray(size))


def main():
    sizes = []
    for size in (10, 1 << 62, 20):
        try:
            sizes.append(reserve(size))
        except MemoryError:
            sizes.append(None)
    return sizes

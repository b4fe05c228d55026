# tests: an infinite generator left by break while a name still holds it, then drawn on and closed


def collatz(n):
    while True:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1


def main():
    walk = collatz(6)
    path = []
    for value in walk:
        path.append(value)
        if value == 1:
            break
    else:
        path.append("not here")
    again = next(walk)
    walk.close()
    return path, again

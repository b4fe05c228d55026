# tests: lists changed while a for runs over them, and a dict whose change raises RuntimeError


def main():
    items = [1, 2, 3, 4]
    for item in items:
        if item % 2:
            items.remove(item)
        elif item < 4:
            items.append(item * 10)
    squares = {}
    for n in range(3):
        squares[n] = n * n
    try:
        for n in squares:
            squares[n + 10] = 0
    except RuntimeError as problem:
        message = str(problem)
    for n in list(squares):
        if n >= 10:
            del squares[n]
    return items, squares, message

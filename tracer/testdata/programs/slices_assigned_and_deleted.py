# tests: slice assignment that grows, shrinks and steps, slice deletion, and a wrong size that raises


def main():
    items = list(range(8))
    items[1:3] = "abc"
    items[:0] = [-1]
    items[-2:] = []
    items[::3] = items[::-3]
    del items[1:5:2]
    try:
        items[::2] = [0]
    except ValueError:
        items.append("kept")
    text = "reversed"[::-1][2:5]
    view = memoryview(bytearray(b"hello"))
    view[1:3] = b"EY"
    return items, text, view.tobytes()

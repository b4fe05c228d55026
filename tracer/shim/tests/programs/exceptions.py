class Swallow:
    def __enter__(self):
        return 1

    def __exit__(self, *args):
        return True


def boom():
    raise ValueError("no")


def returns_none():
    with Swallow(): boom()


def unwinds():
    try:
        boom()
    finally:
        cleanup = 1


def main():
    a = returns_none()
    try:
        unwinds()
    except ValueError:
        b = 2
    try:
        return a, b
    finally:
        c = 3

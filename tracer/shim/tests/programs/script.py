# What a script is made of: the names that its module has are the locals of its frame.

"""Its docstring."""
import sys
from math import gcd as common

LIMIT: int = 3
__version__ = "1"


class Total:
    start = 0

    def __init__(self):
        self.value = Total.start


def power(base, n):
    return 1 if n == 0 else base * power(base, n - 1)


def main():
    total = Total()
    for line in sys.stdin:
        total.value += int(line)
    return total.value


first = int(input())
squares = [i * i for i in range(2)]
for i in range(first):
    pass
del i
if __name__ == "__main__":
    print(main(), power(2, 2), common(4, 6))

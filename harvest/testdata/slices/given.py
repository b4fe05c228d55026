"""What only a call needs is part of the program."""
import decimal
from decimal import Decimal

decimal.getcontext().prec = 5
RATE = [Decimal(3)]


def power(x, rate):
    return x * rate[0]


if __name__ == "__main__":
    power(Decimal(2), RATE)

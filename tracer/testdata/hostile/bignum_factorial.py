# tests: a product that takes long in one call
# status: timeout
import math


def f():
    return math.factorial(10**7)

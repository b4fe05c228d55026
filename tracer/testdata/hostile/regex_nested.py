# tests: an expression that takes twice as long for each character
# status: timeout
import re


def f():
    return re.match('(a+)+$', 'a' * 64 + 'b')

# tests: the same by alternatives
# status: timeout
import re


def f():
    return re.search(r'(?:a|aa|a?)*c', 'a' * 200)

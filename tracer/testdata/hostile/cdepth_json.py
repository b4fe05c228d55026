# tests: nested text for a parser in C
# status: exception
# detail: RecursionError
import json


def f():
    return json.loads('[' * 100000 + ']' * 100000)

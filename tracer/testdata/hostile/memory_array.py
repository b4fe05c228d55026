# tests: a C extension's allocation, in one call
# status: memory_limit
import array


def f():
    return len(array.array('Q', [0]) * (1 << 34))

# tests: a string of many gigabytes from a short expression
# status: memory_limit
def f():
    return len(','.join(['x' * (1 << 20)] * (1 << 14)))

# tests: asks for a terabyte at once
# status: memory_limit
def f():
    return len(bytearray(1 << 40))

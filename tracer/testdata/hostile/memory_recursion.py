# tests: takes memory in each of its frames
# status: memory_limit
def f(n=0):
    held = bytearray(1 << 20)
    return f(n + 1) + len(held)

# tests: takes a megabyte at a time
# status: memory_limit
def f():
    held = []
    while True:
        held.append(bytearray(1 << 20))

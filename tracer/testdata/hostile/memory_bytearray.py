# tests: a buffer that C code makes twice as large, again and again
# status: memory_limit
def f():
    held = bytearray(1 << 20)
    while True:
        held.extend(bytes(held))

# tests: standard input by its number, and as bytes
import os
import sys

first = os.read(0, 2)
rest = sys.stdin.buffer.readline()
with open(0, "rb") as again:
    left = again.read()
print(first, rest, left)

# stdin: "abé\n"
# stdin: "xyz\n"

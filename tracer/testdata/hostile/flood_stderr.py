# tests: the same on the other stream
# status: output_limit
import os


def f():
    while True:
        os.write(2, b'e' * 65536)

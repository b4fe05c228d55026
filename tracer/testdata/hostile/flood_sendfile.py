# tests: output that the kernel copies by itself
# status: output_limit
import os


def f():
    with open('big', 'wb') as file:
        file.write(bytes(1 << 20))
    with open('big', 'rb') as file:
        while True:
            os.sendfile(1, file.fileno(), 0, 1 << 20)

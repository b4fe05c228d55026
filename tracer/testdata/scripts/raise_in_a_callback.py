# tests: an exception that leaves the program through a frame of another file
# status: exception
from functools import reduce


def add(total, text):
    return total + int(text)


print(reduce(add, input().split(), 0))
print(reduce(add, input().split(), 0))

# stdin: "1 2\n"
# stdin: "3 x\n"

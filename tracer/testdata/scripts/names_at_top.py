# tests: globals that functions change, names that are deleted, an annotation, a class body, and many imports
"""A docstring."""
from math import *
from collections import deque

limit: int = 2
queue = deque()


class Node:
    made = 0

    def __init__(self, name):
        self.name = name
        Node.made += 1


def push(name):
    global limit
    limit -= 1
    queue.append(Node(name))


while limit:
    push(input())
del limit
names = [node.name for node in queue]
print(names, Node.made, floor(2.5))

# stdin: "a\n"
# stdin: "b\n"
# stdin: "c\n"

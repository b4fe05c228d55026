# tests: two recursive calls in one expression, and a recursion that builds the tree it walks


class Node:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def insert(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Node(value))
        else:
            child.insert(value)


def height(node):
    return 0 if node is None else 1 + max(height(node.left), height(node.right))


def main():
    root = Node(5)
    for value in (2, 8, 1):
        root.insert(value)
    return height(root), root.left.left.value

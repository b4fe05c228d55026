# tests: type parameters on functions and classes make frames of their own; type aliases are evaluated when read
# requires: 3.12


def bound():
    return int


def first[T: (int, str)](items: list[T]) -> T:
    return items[0]


class Stack[T]:
    def __init__(self):
        self.items: list[T] = []

    def push(self, item: T) -> "Stack[T]":
        self.items.append(item)
        return self


type Pairs[K] = list[tuple[K, bound()]]


def main():
    stack = Stack[int]().push(1).push(2)
    alias = Pairs.__value__
    type Local = dict[str, Local]
    return first(stack.items), str(alias), [p.__name__ for p in first.__type_params__], Local.__name__

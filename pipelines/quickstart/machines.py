"""State machines, matrices and small interpreters."""


def turnstile(events):
    """
    >>> turnstile(["push", "coin", "push", "coin", "coin"])
    ('open', 1)
    >>> turnstile([])
    ('locked', 0)
    """
    transitions = {
        ("locked", "coin"): "open",
        ("locked", "push"): "locked",
        ("open", "push"): "locked",
        ("open", "coin"): "open",
    }
    state = "locked"
    passed = 0
    for event in events:
        if state == "open" and event == "push":
            passed += 1
        state = transitions[state, event]
    return state, passed


def multiply(a, b):
    """
    >>> multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]])
    [[2, 1], [4, 3]]
    >>> multiply([[2]], [[3]])
    [[6]]
    """
    product = []
    for row in a:
        product.append([sum(x * y for x, y in zip(row, column)) for column in zip(*b)])
    return product


def spiral(matrix):
    """
    >>> spiral([[1, 2, 3], [4, 5, 6]])
    [1, 2, 3, 6, 5, 4]
    >>> spiral([])
    []
    """
    out = []
    while matrix:
        out += matrix[0]
        matrix = [list(row) for row in zip(*matrix[1:])][::-1]
    return out


def tokenize(text):
    tokens = []
    number = ""
    for letter in text + " ":
        if letter.isdigit():
            number += letter
            continue
        if number:
            tokens.append(int(number))
            number = ""
        if letter != " ":
            tokens.append(letter)
    return tokens


def evaluate(text):
    """Reverse Polish notation, with a helper that reads the text.

    >>> evaluate("3 4 + 2 *")
    14
    >>> evaluate("12 5 -")
    7
    """
    operations = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
    stack = []
    for token in tokenize(text):
        if isinstance(token, int):
            stack.append(token)
        else:
            right = stack.pop()
            left = stack.pop()
            stack.append(operations[token](left, right))
    return stack.pop()


def balanced(text):
    """
    >>> balanced("([]{})")
    True
    >>> balanced("(]")
    False
    >>> balanced("((")
    False
    """
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for letter in text:
        if letter in pairs.values():
            stack.append(letter)
        elif letter in pairs and (not stack or stack.pop() != pairs[letter]):
            return False
    return not stack


if __name__ == "__main__":
    assert tokenize("12+3") == [12, "+", 3]
    assert tokenize("") == []

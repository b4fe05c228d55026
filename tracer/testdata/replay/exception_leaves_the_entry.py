def divide(a, b):
    return a / b


def main():
    result = divide(6, 3)
    return divide(result, 0)

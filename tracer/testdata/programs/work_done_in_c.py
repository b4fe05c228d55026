# tests: one line of the program that is much work in C and few events: sorting, joining, multiplying


def main():
    numbers = list(range(2000, 0, -1))
    numbers.sort()
    text = ",".join(map(str, numbers))
    product = 7 ** 500 % 10 ** 9
    cut = numbers[:3]
    return len(text), product, cut, sum(numbers)

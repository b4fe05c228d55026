# tests: a for loop resumes a generator at each turn and ends it by its StopIteration


def steps(limit):
    n = 1
    while n < limit:
        yield n
        n *= 3
    return "spent"


def main():
    seen = []
    for value in steps(20):
        seen.append(value * 2)
    return seen

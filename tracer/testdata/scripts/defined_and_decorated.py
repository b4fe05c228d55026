# tests: decorators, closures and keyword arguments at the top of a program
def counted(function):
    calls = 0

    def inner(*args, **kwargs):
        nonlocal calls
        calls += 1
        return function(*args, **kwargs), calls

    return inner


@counted
def power(base, n=2):
    return base ** n


for word in input().split():
    print(power(int(word)), power(int(word), n=1))

# stdin: "2 3\n"

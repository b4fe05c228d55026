# tests: the text of a large number, as a program asks for it and as a trace shows it
# status: exception
# detail: ValueError
def f():
    number = (1 << 10**6) + 1
    return len(str(number))

# tests: a file of a terabyte that takes no space
# status: exception
# detail: File too large
def f():
    with open('sparse', 'wb') as file:
        file.truncate(1 << 40)

# tests: one file that is larger than it may be
# status: exception
# detail: File too large
def f():
    with open('large', 'wb') as file:
        while True:
            file.write(bytes(1 << 20))

# tests: fills what it can write to
# status: exception
# detail: No space left on device
def f():
    for i in range(1000):
        with open(str(i), 'wb') as file:
            file.write(bytes(1 << 20))

def main():
    b = 1
    a = 2
    b, a = a, b
    del b
    b = 3
    for i in range(1):
        pass
    del i, a
    return b

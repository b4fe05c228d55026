def main():
    n = 3
    while n: n -= 1
    for i in range(2): n += i
    squares = [k * k for k in range(3)]
    return n, squares

# tests: a program whose work begins at its last line, and a recursion
def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def main():
    count = int(input())
    for _ in range(count):
        a, b = map(int, input().split())
        print(gcd(a, b))


if __name__ == "__main__":
    main()

# stdin: "2\n"
# stdin: "4 6\n"
# stdin: "10 4\n"

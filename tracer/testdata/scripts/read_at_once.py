# tests: all of standard input in one statement, and a statement over several lines
import sys

words = iter(
    sys.stdin.read().split()
)
count = int(next(words))
numbers = [int(next(words)) for _ in range(count)]
numbers.sort(key=lambda n: -n)
print(*numbers)

# stdin: "3\r\n"
# stdin: "5 1\r\n"
# stdin: "4"

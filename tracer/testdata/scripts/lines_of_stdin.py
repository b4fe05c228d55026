# tests: a loop over sys.stdin, and a function that is called for each line
import sys


def double(text):
    return 2 * int(text)


total = 0
for line in sys.stdin:
    total += double(line)
print(total)

# stdin: "1\n"
# stdin: "2\n"
# stdin: "3\n"

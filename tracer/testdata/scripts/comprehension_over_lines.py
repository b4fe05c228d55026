# tests: a comprehension over several lines whose variable is a global too
# note: in 3.12 to read f_locals changes such a variable, so that a debugger that does computes something else
n = 7
squares = [
    n * n
    for n in map(int, input().split())
]
print(n, squares)

# stdin: "1 2 3\n"

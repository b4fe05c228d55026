# tests: a comprehension over several lines whose variable is a global too
# watched: tracing changes such variables in 3.12
n = 7
squares = [
    n * n
    for n in map(int, input().split())
]
print(n, squares)

# stdin: "1 2 3\n"

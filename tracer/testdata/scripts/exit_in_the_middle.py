# tests: exit(), which is there for scripts
# status: exited
n = int(input())
if n < 0:
    print("negative")
    exit()
print(n)

# stdin: "-1\n"

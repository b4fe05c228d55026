# tests: an EOFError that leaves the program
# status: exception
def read():
    return input()


text = read()
print(text)

# stdin: ""

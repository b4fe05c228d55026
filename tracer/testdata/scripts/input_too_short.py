# tests: an EOFError that the program catches
numbers = []
try:
    while True:
        numbers.append(int(input()))
except EOFError:
    pass
else:
    numbers = None
finally:
    print(numbers)

# stdin: "1\n"
# stdin: "2"

# tests: a generator that the module goes through, and closes
def numbers():
    while True:
        try:
            yield int(input())
        except EOFError:
            return


def until(stop):
    for n in numbers():
        if n == stop:
            break
        yield n


print(sum(until(9)))
source = numbers()
print(next(source))
source.close()

# stdin: "1\n"
# stdin: "2\n"
# stdin: "9\n"
# stdin: "4\n"
# stdin: "5\n"

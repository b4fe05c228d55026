# tests: the same, by a program that would survive any exception
# status: timeout
def f():
    while True:
        try:
            sum(range(10**11))
        except BaseException:
            pass

# tests: a number of a hundred million digits
# status: timeout
def f():
    return 10**10**8

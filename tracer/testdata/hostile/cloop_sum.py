# tests: a loop that no signal handler can leave
# status: timeout
def f():
    return sum(range(10**11))

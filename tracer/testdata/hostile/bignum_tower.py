# tests: a number that no memory can hold
# status: memory_limit or timeout
# varies: whether its size or the time it takes is met first
def f():
    return 9**9**9**9

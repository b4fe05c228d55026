# tests: nested parentheses for the compiler
# status: exception or memory_limit
# varies: up to 3.8 it is a MemoryError
def f():
    return eval('(' * 100000 + ')' * 100000)

# tests: nested parentheses for the compiler
# status: exception
# detail: parenthes
def f():
    return eval('(' * 100000 + ')' * 100000)

# tests: a deep tree without parentheses, which the parser lets through
# status: exception or crashed or memory_limit
# varies: interpreters differ in what they count
def f():
    return eval('-' * 50000 + '1')

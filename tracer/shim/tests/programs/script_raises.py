class Bad(Exception):
    pass
def f(text):
    raise Bad(text)
f(input())

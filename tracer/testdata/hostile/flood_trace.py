# tests: a trace that is larger than it may be
# status: byte_limit
def f():
    for i in range(10000):
        text = str(i) * 1000
    return text

# tests: the same, by a program that catches whatever there is
# status: event_limit
def f():
    while True:
        try:
            1 / 0
        except BaseException:
            pass

# tests: an exception in an except clause, in its match expression, and a loop that retries until it works


def picky():
    raise TypeError("no handlers")


def attempt(n):
    if n < 2:
        raise ConnectionError(n)
    return "worked at %d" % n


def main():
    out = []
    try:
        try:
            raise KeyError("first")
        except picky():
            out.append("never")
    except TypeError as problem:
        out.append((str(problem), repr(problem.__context__)))
    tries = 0
    while True:
        try:
            out.append(attempt(tries))
            break
        except ConnectionError as problem:
            tries += 1
            out.append(problem.args)
    return out

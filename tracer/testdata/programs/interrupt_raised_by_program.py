# tests: a KeyboardInterrupt that the program raises itself, caught once and then left to leave main
# status: exception


def wait(n):
    if n > 1:
        raise KeyboardInterrupt(n)
    return n


def main():
    try:
        wait(2)
    except Exception:
        caught = "as Exception"
    except BaseException as problem:
        caught = "as %s" % type(problem).__name__
    wait(len(caught))
    return caught

# tests: recursion to the interpreter's limit, caught in the caller, after which the program goes on
# watched: the tracer needs stack of its own, so the depth reached differs and the tracer is called at the limit
# status: tracer_lost


def down(n):
    return down(n + 1) + 1


def main():
    try:
        down(0)
    except RecursionError as problem:
        kind = type(problem).__name__
    after = [kind]
    for i in range(2):
        after.append(i)
    return after

# tests: iterating over locals() while a line event may add a name to that very dict
# watched: up to 3.12 a tracer that reads f_locals grows the dict that locals() gave


def names():
    first = 1
    second = 2
    found = []
    for name in locals():
        found.append(name)
    return found


def main():
    try:
        return sorted(names())
    except RuntimeError as problem:
        return str(problem)

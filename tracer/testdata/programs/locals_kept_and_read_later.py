# tests: a dict that locals() gave, read again after more assignments, and written to
# watched: up to 3.12 a tracer that reads f_locals brings that dict up to date


def main():
    a = 1
    early = locals()
    b = 2
    before = sorted(k for k in early if len(k) == 1)
    early["a"] = 50
    c = 3
    counted = len(early)
    return before, a, b, c, counted

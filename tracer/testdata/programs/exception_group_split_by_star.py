# tests: except* takes groups apart by type, several clauses run, what is left is raised on
# requires: 3.11


def raise_all():
    problems = []
    for make in (lambda: int("x"), lambda: {}["k"], lambda: [][1], lambda: 1 / 0):
        try:
            make()
        except Exception as problem:
            problems.append(problem)
    raise ExceptionGroup("four", problems)


def main():
    out = []
    try:
        try:
            raise_all()
        except* ValueError as group:
            out.append(("value", len(group.exceptions)))
        except* (KeyError, IndexError) as group:
            out.append(("lookup", [type(e).__name__ for e in group.exceptions]))
    except ExceptionGroup as rest:
        out.append((rest.message, repr(rest.exceptions)))
    return out

# tests: add_note, a group's split and subgroup with a function called back, and a derived group class
# requires: 3.11


class Failures(ExceptionGroup):
    def derive(self, excs):
        return Failures(self.message, excs)


def is_small(problem):
    return isinstance(problem, ValueError) and problem.args[0] < 2


def main():
    problems = [ValueError(1), ValueError(2), KeyError("k")]
    for n, problem in enumerate(problems):
        problem.add_note("note %d" % n)
    group = Failures("all", problems)
    small, rest = group.split(is_small)
    keys = group.subgroup(KeyError)
    try:
        raise rest
    except Failures as left:
        names = [type(e).__name__ for e in left.exceptions]
    return names, type(small).__name__, keys.exceptions[0].__notes__

# tests: and, or and not over several lines, with calls on each line and short circuits


def yes(log, n):
    log.append(n)
    return n


def no(log, n):
    log.append(-n)
    return 0


def main():
    log = []
    a = (
        yes(log, 1)
        and no(log, 2)
        or yes(log, 3)
    )
    if (no(log, 4) or
            (yes(log, 5)
             and not no(log, 6))):
        a += 10
    while (
        a > 0
        and yes(log, 7)
        and not yes(log, 8)
    ):
        a = -1
    return a, log, [] or {} or "last", 1 and ""

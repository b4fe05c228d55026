# tests: step_over at the end of a level: calls whose return is the last thing on the caller's last line, three deep


def third(log):
    log.append(3)


def second(log):
    log.append(2)
    third(log)


def first(log):
    second(log)


def looped(log):
    for _ in range(2):
        first(log)


def main():
    log = []
    looped(log)
    first(log) or second(log)
    return log

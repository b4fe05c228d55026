# tests: close() raises GeneratorExit at the yield: run through, cleaned up in finally, and answered by a yield


def plain():
    yield 1
    yield 2


def tidy(log):
    try:
        yield "open"
    finally:
        log.append("tidied")


def stubborn():
    try:
        yield "a"
    except GeneratorExit:
        yield "b"


def main():
    log = []
    for g in (plain(), tidy(log)):
        log.append(next(g))
        g.close()
    s = stubborn()
    log.append(next(s))
    try:
        s.close()
    except RuntimeError as problem:
        log.append(type(problem).__name__)
    never_started = plain()
    never_started.close()
    return log

# tests: yields inside with, except and finally, a return in a generator's try, and what closing does there
from contextlib import contextmanager


@contextmanager
def held(log):
    log.append("held")
    try:
        yield "resource"
    finally:
        log.append("freed")


def staged(log):
    with held(log) as resource:
        yield resource
        try:
            yield 1 // 0
        except ZeroDivisionError:
            yield "in except"
        try:
            return "early"
        finally:
            yield "in finally"


def main():
    log = []
    g = staged(log)
    out = list(g)
    other = staged(log)
    out.append(next(other))
    other.close()
    return out, log

# tests: managers in parentheses over several lines, and the lines shown as each is left
# requires: 3.10
from contextlib import contextmanager


@contextmanager
def tagged(name, log):
    log.append("<" + name)
    yield name.upper()
    log.append("/" + name)


def main():
    log = []
    with (
        tagged("p", log) as p,
        tagged(
            "q" + p,
            log,
        ) as q,
    ):
        log.append(p + q)
        if q:
            return log
    return "not reached"

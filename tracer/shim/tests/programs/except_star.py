# requires: 3.11
def f():
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError:
        x = 1


def main():
    try:
        f()
    except ExceptionGroup as g:
        return len(g.exceptions)

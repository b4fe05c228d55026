# tests: bodies of pass, a docstring, an ellipsis or constants only; statements that compile to nothing


def empty():
    pass


def documented():
    """Nothing but words."""


def dotted(): ...


class Bare:
    """A class of words."""


def main():
    "A docstring, not a statement."
    1
    "constant"
    if False:
        unreachable = empty()
    while 0:
        pass
    for _ in ():
        pass
    x: int
    global_free = [empty(), documented(), dotted(), Bare() is None]
    if True:
        pass
    else:
        empty()
    return global_free

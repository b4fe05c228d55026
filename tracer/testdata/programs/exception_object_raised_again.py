# tests: one exception object kept and raised again elsewhere: its traceback grows, its frames are gone


class Once(Exception):
    pass


def make(kept):
    try:
        raise Once("kept")
    except Once as problem:
        kept.append(problem)


def again(kept):
    raise kept[0]


def depth(tb):
    return 0 if tb is None else 1 + depth(tb.tb_next)


def main():
    kept, depths = [], []
    make(kept)
    depths.append(depth(kept[0].__traceback__))
    for _ in range(2):
        try:
            again(kept)
        except Once as problem:
            depths.append(depth(problem.__traceback__))
    try:
        raise kept[0].with_traceback(None)
    except Once as problem:
        depths.append(depth(problem.__traceback__))
    return depths

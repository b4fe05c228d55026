# tests: a generator that resumes itself is refused with ValueError, and a finished one stays finished


def selfish(box):
    yield "before"
    try:
        next(box[0])
    except ValueError as problem:
        yield str(problem)


def main():
    box = []
    g = selfish(box)
    box.append(g)
    out = list(g)
    out.append(next(g, "finished"))
    box.clear()
    return out

# tests: yields in odd places: in a lambda, as an argument, in an assignment's target and in a multi-line call


def join(*parts):
    return "-".join(str(p) for p in parts)


def odd():
    table = {}
    table[(yield "key")] = yield "value"
    text = join(
        (yield "a"),
        (yield "b"),
    )
    yield text
    return table


def main():
    g = odd()
    out = [next(g)]
    for reply in ("v", "k", 1, 2):
        out.append(g.send(reply))
    try:
        next(g)
    except StopIteration as stop:
        out.append(stop.value)
    ask = (lambda: (yield "asked"))()
    out.append(next(ask))
    return out

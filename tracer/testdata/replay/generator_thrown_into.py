def careful():
    while True:
        try:
            yield "ready"
        except ValueError as error:
            yield str(error)


def stubborn():
    yield 1


def main():
    g = careful()
    out = [next(g), g.throw(ValueError("bad")), next(g)]
    g.close()
    s = stubborn()
    next(s)
    try:
        s.throw(KeyError("out"))
    except KeyError as error:
        out.append(error.args)
    return out

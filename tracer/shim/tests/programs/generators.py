def count(n):
    for i in range(n):
        yield i


def echo():
    try:
        got = yield "ready"
        yield got
    except ValueError as error:
        yield str(error)
    finally:
        done = True


def outer():
    result = yield from count(1)
    return result


def main():
    out = list(count(2))
    e = echo()
    next(e)
    out.append(e.send("hello"))
    out.append(e.throw(ValueError("bad")))
    e.close()
    out.extend(outer())
    return out

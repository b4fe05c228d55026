# tests: send() gives the yield expression a value, throw() raises at the yield and may be answered by a yield


def ledger():
    total = 0
    while True:
        try:
            amount = yield total
        except ValueError as problem:
            total = -1
            yield "reset: " + str(problem)
            continue
        if amount is None:
            return total
        total += amount


def main():
    g = ledger()
    out = [next(g), g.send(5), g.send(7)]
    out.append(g.throw(ValueError("bad entry")))
    out.append(next(g))
    out.append(g.send(4))
    try:
        g.send(None)
    except StopIteration as stop:
        out.append(("closed with", stop.value))
    return out

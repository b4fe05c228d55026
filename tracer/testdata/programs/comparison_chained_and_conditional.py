# tests: chained comparisons evaluate each operand once and stop early; conditional expressions pick one side


def value(n, log):
    log.append(n)
    return n


def main():
    log = []
    out = [value(1, log) < value(2, log) < value(3, log)]
    out.append(value(5, log) < value(4, log) < value(99, log))
    out.append(1 < value(2, log) in [2, 3] is not None)
    out.append("low" if value(0, log) else "high" if value(7, log) else "none")
    out.append(
        value(10, log)
        if out[0]
        else value(11, log)
    )
    return out, log

# tests: subscripts, slices, operators, lambdas, collection displays and returns over several lines, each with calls


def tick(log, n):
    log.append(n)
    return n


def main():
    log = []
    items = [
        tick(log, 1),
        *range(
            tick(log, 3)
        ),
    ]
    part = items[
        tick(log, 0):
        tick(log, 2)
    ]
    items[
        tick(log, 1)
    ] = (
        tick(log, 10)
        - tick(log, 4)
    )
    function = (
        lambda a,
        b=tick(log, 5):
        tick(log, a)
        + b
    )
    return {
        "part": part,
        function(
            6): log,
        **{"items": items},
    }

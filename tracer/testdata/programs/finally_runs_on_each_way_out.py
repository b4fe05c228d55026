# tests: one finally block reached by falling through, return, break, continue and an exception


def way(kind, log):
    for turn in range(2):
        try:
            if kind == "return":
                return "returned"
            if kind == "break":
                break
            if kind == "continue":
                continue
            if kind == "raise":
                raise LookupError(kind)
            log.append("through")
        finally:
            log.append((kind[0], turn))
    return "ended"


def main():
    log, out = [], []
    for kind in ("fall", "return", "break", "continue", "raise"):
        try:
            out.append(way(kind, log))
        except LookupError as problem:
            out.append(repr(problem))
    return out, log

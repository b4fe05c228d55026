# tests: except* with else and finally, a re-raise inside it (a line number of None), a bare exception wrapped
# requires: 3.11


def handle(problem, log):
    try:
        if problem is not None:
            raise problem
    except* OSError:
        log.append("os")
        raise
    except* ValueError as group:
        log.append(type(group).__name__)
    else:
        log.append("else")
    finally:
        log.append("finally")


def main():
    log = []
    handle(None, log)
    handle(ValueError("bare"), log)
    nested = ExceptionGroup("g", [OSError("o"), ExceptionGroup("h", [ValueError("v")])])
    try:
        handle(nested, log)
    except* OSError as left:
        log.append(str(left))
    return log

# tests: contextmanager generators that catch, ExitStack with callbacks and pop_all, closing in reverse
from contextlib import ExitStack, contextmanager


@contextmanager
def logged(name, log, catch=()):
    log.append("in " + name)
    try:
        yield len(log)
    except catch as problem:
        log.append("%s caught %r" % (name, problem))
    finally:
        log.append("out " + name)


def main():
    log = []
    with logged("outer", log, KeyError):
        with logged("inner", log) as position:
            raise KeyError(position)
    with ExitStack() as stack:
        names = [stack.enter_context(logged(n, log)) for n in "xy"]
        stack.callback(log.append, "callback")
        kept = stack.pop_all()
    log.append(("kept", names))
    kept.close()
    return log

# tests: suppress, redirect_stdout, closing, nullcontext and a ContextDecorator used as a decorator
import contextlib
import io


class Timed(contextlib.ContextDecorator):
    log = []

    def __enter__(self):
        self.log.append("start")

    def __exit__(self, *problem):
        self.log.append("stop")
        return problem[0] is KeyError


@Timed()
def lookup(key):
    return {"a": 1}[key]


class Door:
    def close(self):
        Timed.log.append("door")


def main():
    out = io.StringIO()
    with contextlib.suppress(ZeroDivisionError):
        1 / 0
    with contextlib.redirect_stdout(out), contextlib.closing(Door()), contextlib.nullcontext(3) as three:
        print("inside", three)
    values = lookup("a"), lookup("z")
    return out.getvalue(), values, Timed.log

# tests: an __exit__ that raises replaces the exception of the body, an __enter__ that raises skips body and exit


class Faulty:
    def __init__(self, at):
        self.at = at

    def __enter__(self):
        if self.at == "enter":
            raise OSError("no entry")
        return self

    def __exit__(self, *problem):
        if self.at == "exit":
            raise OSError("no way out")
        return False


def use(at, fail):
    try:
        with Faulty(at):
            if fail:
                raise ValueError("body")
            at += "!"
    except Exception as problem:
        return str(problem), repr(problem.__context__)
    return at


def main():
    return [use(at, fail) for at in ("enter", "exit", "none") for fail in (False, True)]

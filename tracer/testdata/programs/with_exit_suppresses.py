# tests: an __exit__ that returns true swallows the exception, and the line after the with follows


class Suppress:
    def __init__(self, *kinds):
        self.kinds = kinds
        self.caught = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        if kind is None:
            return None
        self.caught = kind.__name__
        return issubclass(kind, self.kinds)


def first_word(text):
    with Suppress(IndexError, AttributeError) as guard:
        return text.split()[0]
    return guard.caught


def main():
    out = [first_word("one two"), first_word(""), first_word(None)]
    try:
        with Suppress(KeyError) as guard:
            out.append(1 / 0)
    except ZeroDivisionError:
        out.append("not " + guard.caught)
    return out

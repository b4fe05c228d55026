"""Exceptions: raised, caught in a caller, translated, cleaned up after, and left uncaught."""


class ParseError(ValueError):
    def __init__(self, text, position):
        super().__init__("cannot parse %r at %d" % (text, position))
        self.position = position


def digits(text):
    """The second and third call end in an exception that nobody catches.

    >>> digits("12")
    [1, 2]
    >>> digits("1x")
    Traceback (most recent call last):
        ...
    exceptions.ParseError: cannot parse '1x' at 1
    >>> digits("-")
    Traceback (most recent call last):
        ...
    exceptions.ParseError: cannot parse '-' at 0
    """
    values = []
    for position, letter in enumerate(text):
        if not letter.isdigit():
            raise ParseError(text, position)
        values.append(int(letter))
    return values


def digit_sum(text):
    """Catches what a callee raised.

    >>> digit_sum("123")
    6
    >>> digit_sum("12a")
    -2
    """
    try:
        return sum(digits(text))
    except ParseError as error:
        return -error.position


def safe_divide(pairs):
    """
    >>> safe_divide([(6, 3), (1, 0), (1, "x")])
    ['2', 'zero', 'type']
    """
    out = []
    for a, b in pairs:
        try:
            result = a // b
        except ZeroDivisionError:
            out.append("zero")
        except TypeError:
            out.append("type")
        else:
            out.append(str(result))
    return out


def cleanup(fail):
    """
    >>> cleanup(False)
    ['work', 'done', 'finally']
    >>> cleanup(True)
    ['work', 'failed', 'finally']
    """
    log = []
    try:
        log.append("work")
        if fail:
            raise RuntimeError("as asked")
        log.append("done")
    except RuntimeError:
        log.append("failed")
    finally:
        log.append("finally")
    return log


def translate(mapping, key):
    """
    >>> translate({"a": 1}, "a")
    1
    >>> translate({}, "a")
    Traceback (most recent call last):
        ...
    LookupError: no a
    """
    try:
        return mapping[key]
    except KeyError as error:
        raise LookupError("no " + key) from error

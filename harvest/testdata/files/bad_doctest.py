def f():
    """
    >>> f(
    >>>f()
    """
    return 1


def g():
    """
    >>> g(]
    >>> g()
    1
    """
    return 1

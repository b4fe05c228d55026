def f():
    """Doc.

    >>> f()
    1
    """
    return len("""
""")

class Only:
    def method(self):
        """
        >>> Only().method()
        1
        """
        return 1

def low():
    raise OSError("low")


def middle():
    try:
        low()
    except OSError as error:
        raise RuntimeError("middle") from error


def main():
    try:
        try:
            middle()
        except RuntimeError:
            raise
    except RuntimeError as error:
        return str(error), str(error.__cause__)

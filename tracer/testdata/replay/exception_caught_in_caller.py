def fail(n):
    if n == 0:
        raise ValueError("zero")
    return fail(n - 1)


def main():
    try:
        fail(2)
    except ValueError as error:
        text = str(error)
    else:
        text = "none"
    finally:
        done = True
    return text, done

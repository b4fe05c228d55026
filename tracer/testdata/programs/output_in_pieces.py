# tests: stdout and stderr written by print, by write, without line end, flushed, and from a finalizer of a with
import sys


class Tag:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("<%s>" % self.name, end="")

    def __exit__(self, *problem):
        print("</%s>" % self.name)


def main():
    with Tag("b"):
        sys.stdout.write("t\u00e9xt")
    print("to stderr", file=sys.stderr, flush=True)
    print(1, "two", [3], sep="|")
    return None

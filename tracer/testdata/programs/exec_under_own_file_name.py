# tests: code compiled under the program's own file name, whose lines lie beyond the end of its source
# note: a source line must not be looked up by number alone


def main():
    name = main.__code__.co_filename
    source = "\n" * 500 + "def far(n):\n    m = n + 1\n    return m\n"
    space = {}
    exec(compile(source, name, "exec"), space)
    near = {}
    exec(compile("def near(n):\n    m = n * 2\n    return m\n", name, "exec"), near)
    first = space["far"](1)
    second = near["near"](first)
    return first, second

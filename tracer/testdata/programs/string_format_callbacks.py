# tests: str.format, format_map with __missing__, string.Template and join drive Python methods
import string


class Defaults(dict):
    def __missing__(self, key):
        return "<" + key + ">"


class Loud(string.Formatter):
    def get_value(self, key, args, kwargs):
        return str(super().get_value(key, args, kwargs)).upper()


class Row:
    def __init__(self, *cells):
        self.cells = cells

    def __getitem__(self, index):
        return self.cells[index]


def main():
    filled = "{a} and {b}".format_map(Defaults(a=1))
    dotted = "{0[1]}-{0.cells[0]}".format(Row("p", "q"))
    loud = Loud().format("{0} {name}", "hi", name="bo")
    named = string.Template("$x $y").substitute(Defaults(x="one"))
    return filled, dotted, loud, named

# tests: identifiers beyond ASCII, normalized by the parser (NFKC), in functions, arguments, attributes and keywords


class Größe:
    def __init__(self, 値):
        self.値 = 値

    def удвоить(self):
        return self.値 * 2


def fläche(π, *, ﬁx=1):
    radius = π + fix_or(fix=ﬁx)
    return radius


def fix_or(fix):
    return fix


def main():
    größe = Größe(値=4)
    ª = größe.удвоить()
    return ª, a, fläche(3, fix=2), sorted(vars(größe))


a = "global"

class Named:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        name = self.name
        names.append(name)


names = []


def main():
    Named("temporary")
    before = len(names)
    [Named("in list")]
    return before, names

# tests: __copy__, __deepcopy__ and __reduce__ called by the copy module, with a memo for shared parts
# nondeterministic: the keys of a memo are addresses, and it is an argument
# status: nondeterministic
import copy


class Part:
    def __init__(self, name):
        self.name = name

    def __copy__(self):
        return Part(self.name + "'")

    def __deepcopy__(self, memo):
        made = Part(self.name + "*")
        memo[id(self)] = made
        return made


def rebuild(name):
    return Reduced(name.upper())


class Reduced:
    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return rebuild, (self.name,)


def main():
    part = Part("p")
    pair = [part, part]
    deep = copy.deepcopy(pair)
    shallow = copy.copy(part)
    reduced = copy.copy(Reduced("x")), copy.deepcopy([Reduced("y")])[0]
    return shallow.name, deep[0].name, deep[0] is deep[1], [r.name for r in reduced]

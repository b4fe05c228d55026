# tests: results made of id() and of the default hash and repr, which hold addresses
# nondeterministic: addresses differ from run to run
# status: nondeterministic


class Plain:
    pass


def main():
    thing = Plain()
    number = id(thing)
    spread = hash(thing) % 1009
    text = repr(thing)
    return number, spread, text

# tests: the program rebinds the global name of its entry, of a helper and of builtins while they run


def helper():
    return "first"


def second():
    return "second"


def main():
    global main, helper, len
    out = [helper()]
    helper = second
    out.append(helper())
    main = None
    len = lambda items: -1
    out.append(len(out))
    del len
    out.append(len(out))
    return out

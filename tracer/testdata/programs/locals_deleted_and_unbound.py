# tests: del of locals, rebinding after it, UnboundLocalError and NameError, a cell that is empty


def unbound(flag):
    if flag:
        value = 1
    return value


def empty_cell():
    def read():
        return later
    try:
        read()
    except NameError as problem:
        state = type(problem).__name__
    later = 2
    return state, read()


def main():
    a = b = [1]
    del a
    try:
        a.append(2)
    except UnboundLocalError:
        a = "again"
    del a, b[0]
    for i in []:
        pass
    try:
        i
    except UnboundLocalError as problem:
        missing = "i" in str(problem)
    try:
        unbound(False)
    except UnboundLocalError:
        return b, missing, unbound(True), empty_cell()

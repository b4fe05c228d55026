# tests: += and |= in place on lists, sets, dicts and strings; a tuple's item that is changed and still raises


class Total:
    def __init__(self):
        self.parts = []

    def part(self, log):
        log.append("index")
        return 0


def main():
    log, total = [], Total()
    numbers = alias = [1]
    numbers += (2, 3)
    numbers *= 2
    text = other = "a"
    text += "b"
    unique = {1, 2}
    unique |= {3}
    unique &= {2, 3, 9}
    total.parts += [[5]]
    total.parts[total.part(log)][0] += 1
    fixed = ([],)
    try:
        fixed[0] += ["in"]
    except TypeError:
        log.append("refused")
    return alias, text, other, unique, total.parts, fixed, log

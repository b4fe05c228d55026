# tests: with statements of one and of several managers: enter in order, exit in reverse, targets of tuples


class Room:
    def __init__(self, name, log):
        self.name, self.log = name, log

    def __enter__(self):
        self.log.append("+" + self.name)
        return self.name, len(self.log)

    def __exit__(self, kind, value, tb):
        self.log.append("-" + self.name)


def main():
    log = []
    with Room("a", log):
        log.append("body a")
    with Room("b", log) as (name, count), Room("c", log) as inner:
        log.append((name, count, inner))
    for turn in range(3):
        with Room(str(turn), log):
            if turn == 1:
                break
    return log

# tests: __del__ runs when the last reference goes: at a rebinding, a del, a return, and in an exception's frame
# watched: a tracer that keeps a value or a frame alive moves the finalizer


class Noisy:
    def __init__(self, name, log):
        self.name, self.log = name, log

    def __del__(self):
        self.log.append("del " + self.name)


def local(log):
    inside = Noisy("local", log)
    return len(log)


def failing(log):
    inside = Noisy("failing", log)
    raise ValueError


def main():
    log = []
    a = Noisy("a", log)
    a = Noisy("b", log)
    log.append("rebound")
    del a
    log.append("deleted")
    local(log)
    log.append("returned")
    try:
        failing(log)
    except ValueError:
        log.append("handling")
    log.append("handled")
    return log

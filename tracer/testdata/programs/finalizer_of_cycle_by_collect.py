# tests: gc.collect() runs the finalizers of a cycle, and a finalizer that raises is ignored
# watched: a tracer's references keep a cycle alive, and its allocations may start a collection
import gc
import sys


class Node:
    def __init__(self, name, log):
        self.name, self.log, self.other = name, log, None

    def __del__(self):
        self.log.append(self.name)
        if self.name == "bad":
            raise RuntimeError(self.name)


def cycle(log):
    one, two = Node("one", log), Node("bad", log)
    one.other, two.other = two, one
    return "made"


def main():
    log, hook = [], sys.unraisablehook
    gc.disable()
    sys.unraisablehook = lambda info: log.append(info.exc_type.__name__)
    try:
        log.append(cycle(log))
        gc.collect()
    finally:
        sys.unraisablehook = hook
        gc.enable()
    return log[0], sorted(log[1:])

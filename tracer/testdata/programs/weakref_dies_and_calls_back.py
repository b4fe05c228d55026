# tests: weak references, their callbacks, a WeakValueDictionary and weakref.finalize as objects die
# watched: a tracer that keeps a value alive keeps the references alive
import weakref


class Thing:
    def __init__(self, name):
        self.name = name


def main():
    log = []
    thing = Thing("t")
    ref = weakref.ref(thing, lambda r: log.append("callback"))
    cache = weakref.WeakValueDictionary(k=thing)
    weakref.finalize(thing, log.append, "finalize")
    alive = ref() is thing, "k" in cache
    del thing
    dead = ref() is None, "k" in cache
    return alive, dead, sorted(log)

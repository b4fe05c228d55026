# tests: what refers to its own function and module, and so on to the shim's objects, which it empties
# status: exited or tracer_lost or crashed or ok or exception
# varies: what refers to what differs between interpreters
# output: 'emptied'
import gc, sys


def f():
    for thing in gc.get_referrers(f, sys.modules[__name__]):
        if type(thing) is dict and thing is not globals() and thing is not sys.modules:
            thing.clear()
    return 'emptied'

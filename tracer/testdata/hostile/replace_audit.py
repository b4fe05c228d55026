# tests: an audit hook, which cannot be removed and is called for much of what the interpreter does
# status: exited or exception or tracer_lost
# varies: the first of the audited calls after it differs between interpreters
import os, sys


def f():
    def hook(event, args):
        raise SystemExit(event)
    sys.addaudithook(hook)
    open('x', 'w')
    return 'hooked'

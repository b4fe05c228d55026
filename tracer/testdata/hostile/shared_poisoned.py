# tests: leaves to the next case of its function what that would stumble over, in every module that the shim uses
# cases: 3
# status: ok or exited or crashed or exception or tracer_lost
# varies: what it does to its own cases is its own affair
# output: 'left'
import gc, os, resource, signal, sys


def nothing(*args, **kwargs):
    return None


def f():
    for module in (gc, os, resource, signal):
        exec('''
for name in list(vars(module)):
    if callable(getattr(module, name)) and not name.startswith('__'):
        setattr(module, name, nothing)
''', {'module': module, 'nothing': nothing})
    return 'left'

# tests: other functions in the modules that the shim uses
# output: 'replaced'
import gc, os, resource, signal, struct, sys, time, types


def replaced(*args, **kwargs):
    raise SystemExit('reached')


def f():
    exec('''
for module in modules:
    for name in list(vars(module)):
        if callable(getattr(module, name)) and not name.startswith('__'):
            try:
                setattr(module, name, replaced)
            except (AttributeError, TypeError):
                pass
''', {'modules': (gc, os, resource, signal, struct, time, types), 'replaced': replaced})
    return 'replaced'

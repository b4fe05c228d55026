# tests: builtins that end the process when anybody calls them
# output: 'replaced'
import builtins, os


def replaced(*args, **kwargs):
    os._exit(9)


def f():
    exec('''
for name in list(vars(builtins)):
    if callable(getattr(builtins, name)) and name not in ('list', 'vars', 'callable', 'getattr', 'setattr', '__build_class__'):
        setattr(builtins, name, replaced)
''', {'builtins': builtins, 'replaced': replaced})
    return 'replaced'

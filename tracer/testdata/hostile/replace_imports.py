# tests: empties what can be imported, and how
# output: 'emptied'
import builtins, sys


def f():
    builtins.__import__ = None
    sys.meta_path.clear()
    sys.path_hooks.clear()
    sys.path.clear()
    sys.modules.clear()
    return 'emptied'

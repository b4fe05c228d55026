# tests: hooks of the interpreter that are called when something goes wrong, or always
# output: 'hooked'
import sys, threading


def hook(*args):
    raise SystemExit('reached')


def f():
    sys.excepthook = sys.unraisablehook = sys.displayhook = threading.excepthook = hook
    sys.breakpointhook = hook
    return 'hooked'

# tests: takes every builtin away
# output: 'gone'
import builtins


def f():
    space = vars(builtins)
    for name in list(space):
        del space[name]
    return 'gone'

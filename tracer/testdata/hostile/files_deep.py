# tests: a tree that is deeper than any path may be long
# output: 'deep'
import os


def f():
    exec("for _ in range(3000):\n  os.mkdir('d' * 200); os.chdir('d' * 200)")
    return 'deep'

# tests: directories that nobody may enter, with files in them
# output: 'closed'
import os


def f():
    os.makedirs('a/b/c')
    for path in ('a/b/c/x', 'a/b/x', 'a/x'):
        open(path, 'w').close()
        os.chmod(path, 0)
    for path in ('a/b/c', 'a/b', 'a', '.'):
        os.chmod(path, 0)
    return 'closed'

# tests: a process that goes on changing a directory into a link and back, while what it left is removed
# output: 'racing'
import os


def f():
    os.makedirs('a/b')
    open('a/b/x', 'w').close()
    for i in range(3):
        if os.fork() == 0:
            exec('''
while True:
    for act in (lambda: os.rename('a', 'c%d' % i), lambda: os.symlink('/', 'a'), lambda: os.unlink('a'), lambda: os.rename('c%d' % i, 'a'),
                lambda: os.mkdir('a'), lambda: os.mkdir('/tmp/t%d' % i)):
        try: act()
        except OSError: pass
''', {'os': os, 'i': i})
    return 'racing'

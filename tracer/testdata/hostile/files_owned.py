# tests: everything outside its home that it can change
# output: []
import os


def f():
    got = []
    exec('''
for top in ('/tracemill', '/etc', '/usr/local', '/dev', '/run', '/var', '/sys/fs', '/'):
    for root, directories, files in os.walk(top):
        if root.startswith(('/proc', '/tmp', '/sys/')) and top == '/':
            directories[:] = []
            continue
        if root.count('/') > 2:
            directories[:] = []
        for name in [root] + [os.path.join(root, name) for name in files[:50]]:
            if name.startswith(('/dev/', '/proc/', '/tmp')):
                continue
            for act in (lambda: os.utime(name), lambda: os.chmod(name, 0o777), lambda: os.rename(name, name + 'x'),
                        lambda: os.close(os.open(os.path.join(root, 'made'), os.O_CREAT | os.O_WRONLY))):
                try:
                    act()
                    got.append(name)
                except OSError:
                    pass
''', {'os': os, 'got': got})
    return sorted(set(got))

# tests: closes and marks the directory above its home, where that is its own
# output: 'tried'
# after: []
import os


def f():
    for act in (lambda: os.utime('/tmp', (42, 42)), lambda: os.chmod('/tmp', 0), lambda: os.rename('/tmp', '/other'), lambda: os.mkdir('/tmp/other')):
        try:
            act()
        except OSError:
            pass
    return 'tried'


def after():
    got = [name for name in os.listdir('/tmp') if name != os.path.basename(os.getcwd())]
    if oct(os.stat('/tmp').st_mode) != '0o41777' or os.stat('/tmp').st_mtime == 42:
        got.append('mode or times')
    return got

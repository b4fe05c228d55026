# tests: hard links to the shim and to files of the image, and thousands to one of its own
# output: []
import os


def f():
    got = []
    for target in ('/tracemill/server.py', '/etc/passwd', '/etc/hostname', '/usr/local/bin/python3', '/proc/1/environ'):
        try:
            os.link(target, 'hard')
            got.append(target)
        except OSError:
            pass
    open('one', 'w').close()
    exec("for i in range(2000): os.link('one', '%d' % i)")
    return got

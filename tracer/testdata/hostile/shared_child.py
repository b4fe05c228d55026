# tests: leaves a child process, stopped, to the next case of its function
# cases: 3
# output: 'alone'
import os
import signal


def f():
    me = os.readlink('/proc/self')
    with open('/proc/self/task/%s/children' % me) as file:
        children = file.read()
    if os.fork() == 0:
        os.kill(int(os.readlink('/proc/self')), signal.SIGSTOP)
    return 'not alone' if children else 'alone'

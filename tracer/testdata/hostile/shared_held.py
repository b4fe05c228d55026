# tests: puts other things in the place of what is looked at between cases, and leaves a process and a file behind
# cases: 4
# status: ok
# output: 'held'
import os


def f():
    held = [fd for fd in range(200, 250) if os.path.exists('/proc/self/fd/%d' % fd)]
    for fd in held:
        os.dup2(0, fd)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                os.getppid()
        os._exit(0)
    os.wait()
    with open('left', 'w') as f:
        f.write('behind')
    os.chdir('/')
    return 'held'

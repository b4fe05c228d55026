# tests: what a process hands on to those that it starts: the server is not started by it
# output: 'set'
# after: []
import os, resource, signal


def f():
    os.umask(0)
    os.nice(19)
    os.chdir('/')
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    os.environ['LEFT'] = 'x'
    os.putenv('LEFT', 'x')
    resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
    for act in (lambda: os.sched_setaffinity(0, {0}), lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
                lambda: os.setpriority(os.PRIO_USER, 0, 19), lambda: os.setpriority(os.PRIO_PROCESS, 1, 19)):
        try:
            act()
        except OSError:
            pass
    return 'set'


def after():
    got = []
    if os.umask(0) != 0o022:
        got.append('umask')
    if os.getpriority(os.PRIO_PROCESS, 0):
        got.append('priority')
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        got.append('scheduler')
    if signal.pthread_sigmask(signal.SIG_BLOCK, []):
        got.append('mask')
    if 'LEFT' in os.environ or os.getcwd() == '/':
        got.append('environment')
    return got

# tests: slowing down what would kill it, which has its effective user, and whoever else is there
# output: []
import errno, os


def f():
    got = []
    others = [(os.PRIO_PROCESS, who) for who in (1, 2, os.getpid(), os.getppid())]
    others += [(which, who) for which in (os.PRIO_PGRP, os.PRIO_USER) for who in (0, 1, os.getuid(), os.getuid() + 2)]
    for which, who in others:
        try:
            os.setpriority(which, who, 19)
            got.append((which, who))
        except OSError as e:
            if e.errno != errno.EPERM:
                got.append((which, who, str(e)))
    os.setpriority(os.PRIO_PROCESS, 0, 1)
    return got

"""A program that does no harm and looks around: whatever another execution could have left to it, it returns."""
import builtins
import fcntl
import os
import random
import resource
import signal
import socket
import sys
import threading
import time


def f():
    found = {}
    found['places'] = os.getcwd(), sorted(os.listdir('.')), sorted(os.listdir('/tmp')), os.listxattr('.'), oct(os.stat('.').st_mode)
    found['environment'] = sorted(os.environ.items())
    found['descriptors'] = descriptors()
    # But for the address space, whose limit is above what the server's is when it starts.
    found['limits'] = [resource.getrlimit(which) for which in range(16) if which != resource.RLIMIT_AS]
    found['signals'] = [signal.getsignal(n) in (signal.SIG_DFL, signal.SIG_IGN) for n in range(1, 32) if n != signal.SIGINT]
    found['mask'] = sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []))
    found['timers'] = [signal.getitimer(which) for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
    found['process'] = process()
    found['interpreter'] = (sys.getrecursionlimit(), sys.getswitchinterval(), sys.gettrace() is None, sys.getprofile() is None, threading.active_count(),
                            len(dir(builtins)), sorted(name for name in sys.modules if 'tracemill' in name or name == 'left'))
    found['world'] = time.time(), random.random(), os.urandom(4), bound()
    return found


def descriptors():
    listing = os.open('/proc/self/fd', os.O_RDONLY)
    open_now = sorted(int(fd) for fd in os.listdir(listing))
    os.close(listing)
    return open_now, [fcntl.fcntl(fd, fcntl.F_GETFL) for fd in range(3)], [fcntl.fcntl(fd, fcntl.F_GETFD) for fd in range(3)]


def process():
    mask = os.umask(0o022)
    with open('/proc/self/oom_score_adj') as file:
        score = int(file.read())
    return oct(mask), score, os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), len(os.sched_getaffinity(0)) > 0


def bound():
    with socket.socket() as server:
        server.bind(('127.0.0.1', 5001))
        server.listen(1)
        return server.getsockname()

# tests: stops the server and asks it to go on, quit or dump, where it may be of its own user: then it takes no notice
# output: []
import os, signal


def user(pid):
    with open('/proc/%s/status' % pid) as file:
        return [line for line in file if line.startswith('Uid')]


def f():
    got = []
    with open('/proc/self/stat') as file:
        parent = int(file.read().rpartition(')')[2].split()[1])
    for pid in {1, parent}:
        for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGCONT, signal.SIGQUIT, signal.SIGINT, signal.SIGCHLD):
            try:
                os.kill(pid, number)
                if user(pid) != user('self'):
                    got.append((pid, number))
            except OSError:
                pass
    return got

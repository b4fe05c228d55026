# tests: sends every signal to everything that it can see, where the server may be of its own user: then it takes no notice
# output: []
import os


def user(pid):
    with open('/proc/%s/status' % pid) as file:
        return [line for line in file if line.startswith('Uid')]


def f():
    own = os.readlink('/proc/self')
    got = []
    for pid in [name for name in os.listdir('/proc') if name.isdigit() and name != own] + ['-1']:
        for number in (0, 1, 2, 9, 11, 15, 17, 19, 34):
            try:
                os.kill(int(pid), number)
                if pid != '-1' and (pid != '1' or user('1') != user(own)):  # the kernel reports success where it may kill none of all
                    got.append((pid, number))
            except OSError:
                pass
    return got

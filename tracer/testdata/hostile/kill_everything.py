# tests: sends every signal to everything that it can see
# output: []
import os


def f():
    own = os.readlink('/proc/self')
    got = []
    for pid in [name for name in os.listdir('/proc') if name.isdigit() and name != own] + ['-1']:
        for number in (0, 1, 2, 9, 11, 15, 17, 19, 34):
            try:
                os.kill(int(pid), number)
                got.append((pid, number))
            except OSError:
                pass
    return got

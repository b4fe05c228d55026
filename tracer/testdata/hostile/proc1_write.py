# tests: what of the server can be changed through /proc
# output: []
import os


def f():
    got = []
    for name, text in (('mem', 'x'), ('oom_score_adj', '1000'), ('clear_refs', '1'), ('comm', 'x'), ('coredump_filter', '0'), ('autogroup', '0'),
                       ('timerslack_ns', '1'), ('uid_map', '0 0 1'), ('setgroups', 'deny'), ('attr/current', 'x'), ('sched', '0'), ('loginuid', '0')):
        for path in ('/proc/1/', '/proc/1/task/1/'):
            try:
                fd = os.open(path + name, os.O_WRONLY)
                os.write(fd, text.encode())
                got.append(path + name)
            except OSError:
                pass
    return got

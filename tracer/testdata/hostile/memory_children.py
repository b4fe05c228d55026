# tests: as many processes as there may be, each with as much as one may have, so that the sandbox's own limit is met
# limits: wall: 20s, cpu: 10s
# status: ok or memory_limit
# varies: the kernel chooses which of the processes it kills
# output: 'done'
import os


def f():
    for _ in range(40):
        try:
            if os.fork() == 0:
                held = []
                try:
                    while True:
                        held.append(b'x' * (1 << 20))
                except MemoryError:
                    pass
                exec("while os.stat('/proc/1').st_uid == 0 and not os.path.exists('stop'): os.sched_yield()", {'os': os})
        except OSError:
            break
    return 'done'

# tests: changes the server's limits, by its number and by its parent's
# output: []
import resource


def f():
    got = []
    for name in dir(resource):
        if name.startswith('RLIMIT_'):
            for pid in (1,):
                try:
                    resource.prlimit(pid, getattr(resource, name), (0, 0))
                    got.append(name)
                except OSError:
                    pass
    return got

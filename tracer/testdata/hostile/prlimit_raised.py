# tests: raises its own limits
# output: []
import resource


def f():
    got = []
    for name in dir(resource):
        if name.startswith('RLIMIT_'):
            which = getattr(resource, name)
            soft, hard = resource.getrlimit(which)
            if hard == resource.RLIM_INFINITY:
                continue
            try:
                resource.setrlimit(which, (hard + 1, hard + 1))
                got.append(name)
            except (OSError, ValueError):
                pass
    return got

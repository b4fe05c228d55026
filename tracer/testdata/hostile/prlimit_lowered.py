# tests: lowers its own to nothing, but for those that end it
# output: 'lowered'
import resource


def f():
    for name in ('NOFILE', 'NPROC', 'FSIZE', 'MEMLOCK', 'CORE', 'DATA', 'STACK'):
        resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (0, 0))
    return 'lowered'

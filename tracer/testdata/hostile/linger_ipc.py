# tests: shared memory, semaphores and queues, which outlive processes
# output: []
# after: []
import ctypes, os


def f():
    libc = ctypes.CDLL(None)
    got = []
    for name, args in (('shmget', (42, 4096, 0o1666)), ('semget', (42, 1, 0o1666)), ('msgget', (42, 0o1666))):
        if getattr(libc, name)(*args) >= 0:
            got.append(name)
    for name, args in (('shm_open', (b'/x', 0o102, 0o666)), ('mq_open', (b'/x', 0o102, 0o666, None))):
        try:
            if getattr(ctypes.CDLL('librt.so.1'), name)(*args) >= 0:
                got.append(name)
        except (AttributeError, OSError):
            pass
    for path in ('/dev/shm/x', '/dev/mqueue/x'):
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            got.append(path)
        except OSError:
            pass
    return got


def after():
    libc = ctypes.CDLL(None)
    return [name for name, args in (('shmget', (42, 0, 0)), ('semget', (42, 0, 0)), ('msgget', (42, 0))) if getattr(libc, name)(*args) >= 0]

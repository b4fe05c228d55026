# tests: files that are deleted, locked, mapped and held open by processes that outlive it
# output: 'held'
import fcntl, mmap, os


def f():
    for i in range(5):
        fd = os.open(str(i), os.O_RDWR | os.O_CREAT)
        os.ftruncate(fd, 1 << 20)
        fcntl.lockf(fd, fcntl.LOCK_EX)
        held = mmap.mmap(fd, 1 << 20)
        held[:] = bytes(1 << 20)
        os.unlink(str(i))
        if os.fork() == 0:
            os.setsid()
            while True:
                os.sched_yield()
    return 'held'

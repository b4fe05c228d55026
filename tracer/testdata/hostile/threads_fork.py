# tests: forks while threads hold locks that nobody in the child will let go
# output: 'forked'
import os, threading


def f():
    lock = threading.Lock()
    lock.acquire()
    for _ in range(5):
        threading.Thread(target=lock.acquire, daemon=True).start()
        if os.fork() == 0:
            lock.acquire()
    return 'forked'

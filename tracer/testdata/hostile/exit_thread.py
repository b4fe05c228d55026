# tests: ends its process from another thread, while it is traced
# status: exited or event_limit
# varies: which of the two is first
import os, threading


def f():
    threading.Thread(target=os._exit, args=(0,)).start()
    while True:
        pass

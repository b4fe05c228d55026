# tests: threads that fork, whose children outlive the program
# output: 'done'
import os, select, threading


def fork():
    exec("try:\n  while True:\n    if os.fork() == 0: select.select([], [], [], 1000)\nexcept OSError: pass", {'os': os, 'select': select})


def f():
    threads = []
    for _ in range(4):
        try:
            threads.append(threading.Thread(target=fork))
            threads[-1].start()
        except RuntimeError:
            threads.pop()
    for thread in threads:
        thread.join()
    return 'done'

# tests: daemons that, when the program has returned, stop whatever else is of their user: what is sent to clean up, too
# output: 'returned'
import os


def f():
    r, w = os.pipe()
    for _ in range(6):
        if os.fork() == 0:
            os.setsid()
            os.close(w)
            exec("os.read(r, 1)\nwhile True:\n  try: os.kill(-1, 19)\n  except OSError: pass", {'os': os, 'r': r})
    return 'returned'

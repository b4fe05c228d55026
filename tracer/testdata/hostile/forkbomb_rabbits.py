# tests: processes that each fork the next and end, so that no process that is seen is there when it is killed
# output: 'gone'
import os


def f():
    for _ in range(4):
        if os.fork() == 0:
            exec("while True:\n  try:\n    if os.fork(): os._exit(0)\n  except OSError: pass")
    return 'gone'

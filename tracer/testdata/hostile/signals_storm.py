# tests: a hundred children that end at once, each with a signal to the server
# output: 'ended'
import os


def f():
    exec("for _ in range(100):\n  pid = os.fork()\n  if pid == 0: os._exit(0)\n  os.waitpid(pid, 0)")
    return 'ended'

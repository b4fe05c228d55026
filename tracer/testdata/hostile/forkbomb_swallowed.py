# tests: forks without end, whatever the kernel answers, in code that has no events of its own
# status: timeout
def f():
    exec("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass")

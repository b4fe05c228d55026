# tests: goes on asking after every refusal, in code that has no events of its own
# status: timeout
def f():
    exec("held = []\nwhile True:\n  try: held.append(bytearray(1 << 16))\n  except MemoryError: pass")

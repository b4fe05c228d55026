# tests: code that no compiler made, run
# status: crashed or exception or timeout or memory_limit or exited or tracer_lost or ok
# varies: what the interpreter makes of it
# output: 1
def g():
    return 1


def f():
    g.__code__ = g.__code__.replace(co_code=bytes(range(2, 200)), co_stacksize=2)
    return g()

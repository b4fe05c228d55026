# tests: a watchdog of the interpreter's, in a thread of C, that ends the process
# status: exited
# detail: exit status 1
import faulthandler


def f():
    faulthandler.dump_traceback_later(0.01, exit=True)
    return sum(range(10**11))

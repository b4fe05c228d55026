# tests: overflows the stack of C
# status: crashed
# detail: SIGSEGV
import faulthandler


def f():
    faulthandler._stack_overflow()

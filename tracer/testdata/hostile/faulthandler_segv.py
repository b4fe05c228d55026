# tests: reads what is not there
# status: crashed
# detail: SIGSEGV
import faulthandler


def f():
    faulthandler.enable()
    faulthandler._sigsegv()

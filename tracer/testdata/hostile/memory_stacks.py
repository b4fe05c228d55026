# tests: threads with stacks of a gigabyte
# status: exception
# detail: can't start new thread
import threading


def f():
    threading.stack_size(1 << 30)
    threading.Thread(target=print).start()

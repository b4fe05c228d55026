# tests: closes everything
# output: 'closed'
import os


def f():
    os.closerange(0, 1 << 20)
    return 'closed'

# tests: closes what its process speaks to the server by, or puts other things in its place
# cases: 3
# output: 'closed'
import os


def f():
    r, w = os.pipe()
    for fd in range(200, 256):
        os.dup2(w, fd)
    os.closerange(3, 256)
    return 'closed'

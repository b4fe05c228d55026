# tests: puts its streams in each other's place, and makes them what they are not
# output: 'swapped'
import os, socket


def f():
    saved = os.dup(1)
    os.dup2(2, 1)
    os.dup2(saved, 2)
    pair = socket.socketpair()
    os.dup2(pair[0].fileno(), 0)
    os.dup2(pair[0].fileno(), 1)
    os.close(2)
    return 'swapped'

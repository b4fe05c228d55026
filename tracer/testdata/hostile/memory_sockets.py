# tests: the kernel's memory, in sockets whose other end nobody reads
# output: 'full'
import socket


def f():
    exec('''
held = []
try:
    while True:
        held.append(socket.socketpair())
        held[-1][0].setblocking(False)
        try:
            while True:
                held[-1][0].send(bytes(1 << 16))
        except BlockingIOError:
            pass
except OSError:
    pass
''', globals())
    return 'full'

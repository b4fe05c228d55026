# tests: sockets in flight inside each other, which only the kernel's collector can free
# output: 'passed'
import array, socket


def f():
    exec('''
for _ in range(200):
    try:
        a, b = socket.socketpair()
        a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [a.fileno(), b.fileno()]))])
        a.close(); b.close()
    except OSError:
        break
''', globals())
    return 'passed'

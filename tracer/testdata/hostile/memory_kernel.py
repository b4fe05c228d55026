# tests: the kernel's memory, by programs that make themselves as unlikely to be killed for memory as they can
# limits: wall: 20s, cpu: 10s
# status: ok or memory_limit
# varies: the kernel chooses which of the processes it kills
# restarts: they are smaller than the server, and no less likely to be chosen
# output: 'full'
import os, signal, sys
INSIDE = '''
import os, signal, socket
try:
    os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"0")
except OSError:
    pass
held = []
try:
    while True:
        held.append(socket.socketpair())
        for end in held[-1]:
            end.setblocking(False)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
            try:
                while True:
                    end.send(bytes(1 << 15))
            except BlockingIOError:
                pass
except OSError:
    pass


os.write(1, b".")
signal.pause()
'''


def f():
    r, w = os.pipe()
    started = 0
    try:
        while True:
            os.posix_spawn(sys.executable, [sys.executable, '-S', '-c', INSIDE], {}, file_actions=[(os.POSIX_SPAWN_DUP2, w, 1)])
            started += 1
    except OSError:
        pass
    os.close(w)
    exec("while started and os.read(r, 1): started -= 1", {'os': os, 'r': r, 'started': started})
    return 'full'

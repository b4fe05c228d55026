# tests: a socket of every family that can leave the sandbox by another way than IP, or reach the kernel's parsers
# output: []
import socket


def f():
    got = []
    for family in range(1, 47):
        if family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6):
            continue
        for kind in (1, 2, 3, 4, 5, 6, 10):
            for protocol in (0, 1, 15, 16):
                try:
                    socket.socket(family, kind, protocol).close()
                    got.append(family)
                except OSError:
                    pass
    return sorted(set(got))

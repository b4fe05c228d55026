# tests: raw sockets, with which packets of others are made and read
# output: []
import socket


def f():
    got = []
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_PACKET):
        for kind in (socket.SOCK_RAW, 10):
            for protocol in (1, 58, 255, 0x300, 6):
                try:
                    socket.socket(family, kind, protocol).close()
                    got.append((family, kind, protocol))
                except OSError:
                    pass
    for protocol in (1, 58):
        try:
            socket.socket(socket.AF_INET if protocol == 1 else socket.AF_INET6, socket.SOCK_DGRAM, protocol).close()
            got.append('ping')
        except OSError:
            pass
    return got

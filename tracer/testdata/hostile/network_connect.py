# tests: connections and datagrams to addresses that are not its own: documentation's, a bridge's, a link's
# output: []
import socket


def f():
    got = []
    for family, address in ((socket.AF_INET, '192.0.2.1'), (socket.AF_INET, '172.17.0.1'), (socket.AF_INET, '10.0.0.1'), (socket.AF_INET, '169.254.0.1'),
                            (socket.AF_INET, '255.255.255.255'), (socket.AF_INET, '224.0.0.1'), (socket.AF_INET6, '2001:db8::1'), (socket.AF_INET6, 'ff02::1'),
                            (socket.AF_INET6, 'fe80::1')):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                with socket.socket(family, kind) as s:
                    s.settimeout(0.01)
                    if kind == socket.SOCK_DGRAM:
                        s.sendto(b'x', (address, 53))
                    else:
                        s.connect((address, 53))
                    got.append((address, kind))
            except socket.timeout:
                got.append((address, 'has a way'))
            except OSError:
                pass
    return got

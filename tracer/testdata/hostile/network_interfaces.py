# tests: interfaces, routes and neighbours other than the loopback
# output: []
import socket


def f():
    got = []
    try:
        got += [name for _, name in socket.if_nameindex() if name != 'lo']
    except OSError:
        pass
    for path in ('/proc/net/route', '/proc/net/arp', '/proc/net/dev_mcast'):
        try:
            got += [line for line in open(path).read().splitlines()[1:] if 'lo' not in line.split()]
        except OSError:
            pass
    got += [line.split(':')[0] for line in open('/proc/net/dev').read().splitlines()[2:] if line.split(':')[0].strip() != 'lo']
    return got

# tests: abstract unix sockets of others, the host's among them
# output: []
import socket


def f():
    got = []
    names = {'\0/tmp/.X11-unix/X0', '\0/containerd-shim', '\0/org/freedesktop/systemd1', '\0dbus'}
    with open('/proc/net/unix') as file:
        for line in file.read().splitlines()[1:]:
            fields = line.split()
            if len(fields) > 7:
                names.add('\0' + fields[7][1:] if fields[7].startswith('@') else fields[7])
    for name in names:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            try:
                with socket.socket(socket.AF_UNIX, kind) as s:
                    s.connect(name)
                    got.append(name)
            except OSError:
                pass
    return got

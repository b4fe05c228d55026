# tests: the resolver, by name and by service
# output: []
import socket


def f():
    got = []
    for name in ('example.com', 'metadata.internal', 'host.docker.internal', '_gateway'):
        try:
            got.append(socket.getaddrinfo(name, 80))
        except (OSError, UnicodeError):
            pass
    return got

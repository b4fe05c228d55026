# tests: a connection over the loopback, whose address stays in use after both of its ends are gone
# output: 'hello'
# after: 'bound'
import socket


def f():
    with socket.socket() as server:
        server.bind(('127.0.0.1', 5000))
        server.listen(1)
        with socket.socket() as client:
            client.connect(('127.0.0.1', 5000))
            connection, _ = server.accept()
            connection.sendall(b'hello')
            connection.close()
            return client.recv(5).decode()


def after():
    with socket.socket() as server:
        server.bind(('127.0.0.1', 5000))
        return 'bound'

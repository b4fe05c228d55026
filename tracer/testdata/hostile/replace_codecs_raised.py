# tests: the same, where what it raises is a text that needs one
# status: exited or exception
# varies: whether the message is escaped before it is encoded
import codecs


def handler(error):
    raise SystemExit('reached')


def f():
    codecs.register_error('backslashreplace', handler)
    raise ValueError('\udcff\ud800')

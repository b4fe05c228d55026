# tests: the same, where what it raises is a text that needs one
# status: exception
# detail: ValueError
import codecs


def handler(error):
    raise SystemExit('reached')


def f():
    codecs.register_error('backslashreplace', handler)
    raise ValueError('\udcff\ud800')

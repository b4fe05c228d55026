# tests: error handlers and codecs of its own, which text passes through on its way out
# output: '\udcff\ud800'
import codecs


def handler(error):
    raise SystemExit('reached')


def f():
    for name in ('strict', 'backslashreplace', 'surrogateescape', 'replace', 'ignore'):
        codecs.register_error(name, handler)
    return '\udcff\ud800'

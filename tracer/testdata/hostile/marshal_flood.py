# tests: a large marshal on both streams
# status: output_limit
import marshal, sys


def f():
    text = marshal.dumps(b'x' * 10**6)
    for stream in (sys.stdout, sys.stderr):
        stream.buffer.write(text)
        stream.flush()

# tests: fills the channel with what is no trace
# status: crashed
# detail: wrote to the tracer's channel
import ctypes, os


def f():
    for line in open('/proc/self/maps'):
        span, mode = line.split()[:2]
        if mode == 'rw-s':
            start, end = (int(part, 16) for part in span.split('-'))
            ctypes.memset(start + 12, 0xEE, end - start - 12)
            ctypes.c_uint64.from_address(start).value = 100000
    os._exit(0)

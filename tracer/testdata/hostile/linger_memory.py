# tests: leaves a mark in every memory that it shares with the server, for an execution after it to find
# output: 'marked'
# after: []
import ctypes
MARK = b'left by another execution'


def shared():
    with open('/proc/self/maps') as file:
        for line in file:
            span, mode = line.split()[:2]
            if mode == 'rw-s':
                start, end = (int(part, 16) for part in span.split('-'))
                yield start, end - start


def f():
    for start, size in shared():
        for offset in (1 << 16, size // 2, size - 4096):
            if offset + len(MARK) < size:
                ctypes.memmove(start + offset, MARK, len(MARK))
    return 'marked'


def after():
    return [size for start, size in shared() if MARK in ctypes.string_at(start, size)]

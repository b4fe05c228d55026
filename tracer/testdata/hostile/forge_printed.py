# tests: prints what a result, an end record and a frame of the channel look like
# output: 'printed'
import os
END = b'\x7f\x01\x01\x00\x01\x01\x00\x00\x00\x00' + bytes(16)


def f():
    for fd in (1, 2):
        for text in (b'TMT\x01' + END, b'R\x01\x00\x00\x00' + END, (40).to_bytes(4, 'little') + b'R\x01\x00' + END):
            os.write(fd, text)
    return 'printed'

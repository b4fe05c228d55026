# tests: marshals that no compiler made
# status: exception or crashed or memory_limit
# varies: how far the interpreter follows them
import marshal


def f():
    for kind in b'(){[<>stuzZaAfgiIlryxcN':
        try:
            marshal.loads(bytes((kind,)) + b'\xff\xff\xff\x7f' + b'(' * 100)
        except (EOFError, ValueError, TypeError, MemoryError):
            pass
    marshal.loads(b'[' + b'\x01\0\0\0[' * 10**6)

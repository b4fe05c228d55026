# tests: a short pickle that asks for a memo of gigabytes
# status: memory_limit or exception
# varies: up to 3.13 the table is made as large as the number says
import pickle


def f():
    return pickle.loads(b'\x80\x04Kr' + (0x7fffffff).to_bytes(4, 'little').join([b'r', b'.']))

# tests: a pickle that runs what it wants when somebody reads it
# output: 'printed'
import os, pickle, sys


class Reduced:
    def __reduce__(self):
        return os._exit, (9,)


def f():
    sys.stdout.buffer.write(pickle.dumps(Reduced()))
    sys.stdout.flush()
    return 'printed'

# tests: a pickle of many megabytes, on the stream that it takes for the channel
# status: output_limit
import pickle, sys


def f():
    pickle.dump(['x' * 1000 + str(i) for i in range(2000)], sys.stdout.buffer)

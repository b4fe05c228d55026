# tests: results made of the clock and the process id
# nondeterministic: time goes on, and each process has an id of its own
# status: nondeterministic
import os
import time


def stamp():
    return time.time_ns()


def main():
    first = stamp()
    process = os.getpid()
    return first, process

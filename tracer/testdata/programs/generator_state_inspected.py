# tests: the states of a generator as inspect tells them, and its locals between two resumes
# watched: gi_frame and its locals are read beside the tracer
import inspect


def steps():
    first = 1
    yield first
    second = 2
    yield second


def look(g):
    return inspect.getgeneratorstate(g)[4:], sorted(inspect.getgeneratorlocals(g).items())


def main():
    g = steps()
    out = [look(g)]
    for _ in g:
        out.append(look(g))
    out.append(look(g))
    return out

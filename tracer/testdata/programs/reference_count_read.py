# tests: sys.getrefcount of a local before and after another name for it
# watched: a tracer that holds the value, or the dict of f_locals, is counted
import sys


def extra(value):
    return sys.getrefcount(value)


def main():
    item = object()
    base = extra(item)
    names = [item, item]
    more = extra(item) - base
    del names
    return more, extra(item) - base

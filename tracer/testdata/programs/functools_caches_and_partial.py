# tests: lru_cache hits make no call, cached_property runs once, partial and reduce call back from C
import functools
import operator


@functools.lru_cache(maxsize=None)
def paths(rows, columns):
    if rows == 0 or columns == 0:
        return 1
    return paths(rows - 1, columns) + paths(rows, columns - 1)


class Circle:
    @functools.cached_property
    def area(self):
        return 3 * 4


def merge(a, b, sep):
    return a + sep + b


def main():
    count = paths(2, 2)
    hits = paths.cache_info().hits
    paths(2, 1)
    circle = Circle()
    areas = circle.area + circle.area
    dashed = functools.partial(merge, sep="-")
    return count, hits, areas, functools.reduce(dashed, "abc"), functools.reduce(operator.mul, [2, 3, 7])

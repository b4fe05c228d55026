# tests: __lt__ called by sort, min and bisect; __eq__ by in, index and remove; total_ordering fills the rest
import bisect
import functools


@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = [int(p) for p in text.split(".")]

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


def main():
    versions = [Version(t) for t in ("1.10", "1.2", "0.9")]
    ordered = sorted(versions)
    smallest = min(versions)
    place = bisect.bisect_left(ordered, Version("1.3"))
    found = Version("0.9") in versions
    versions.remove(Version("1.2"))
    return [v.parts for v in ordered], smallest.parts, place, found, len(versions), Version("2.0") >= ordered[0]

# tests: loops, calls and a try at module level, state kept for the entry, and a main block that must not run
import sys

TABLE = {}
for key in "abc":
    TABLE[key] = ord(key) - 96

try:
    import no_such_module_at_all as fast
except ImportError:
    fast = None


def fill(n):
    return [n] * TABLE["b"]


READY = fill("r")
assert READY and __name__ != "__main__"


def main():
    TABLE["d"] = len(TABLE) + 1
    READY.extend(fill(key))
    return TABLE, READY, fast is None, sys.modules.get(__name__, None) is not None


if __name__ == "__main__":
    TABLE.clear()

"""Definitions that stand in blocks: what is bound when the module has run is a function."""
import contextlib
import os
import sys
from typing import TYPE_CHECKING

try:
    import nowhere_to_be_found
except ImportError:
    nowhere_to_be_found = None

    def stands_in(x):
        return -x
else:

    def stands_in(x):
        return nowhere_to_be_found.negative(x)


if sys.version_info >= (3, 0):

    def text(x):
        return str(x)

    class Made:
        def twice(self, x):
            return 2 * x

        if os.name == "nt":

            def where(self):
                return "there"

        else:

            def where(self):
                return "here"

elif TYPE_CHECKING:

    def text(x):
        return unicode(x)

    class Made:
        pass


if TYPE_CHECKING:

    def hinted(x):
        return x


try:
    unicode
except NameError:
    unicode = str

    def named(x):
        return unicode(x)


try:
    from math import gcd, floor
except ImportError:

    def gcd(a, b):
        while b:
            a, b = b, a % b
        return a


def floor(x):
    return int(x // 1)


try:
    from math import floor
except ImportError:
    pass


with contextlib.suppress(ImportError):

    def before(x):
        return x + 1

    import nowhere_to_be_found.inside

    def behind(x):
        return x + 2


if os.environ.get("SLOW"):

    def chosen(x):
        return x

else:

    def chosen(x):
        return x * x


def late(x):
    return x


if nowhere_to_be_found is None and not hasattr(sys, "getwindowsversion"):

    def late(x):
        return x + x


if "SLOW" in os.environ or sys.version_info[0] > 2:

    def surely(x):
        return not x


for _ in range(2):

    def in_loop(x):
        return x


assert stands_in(1) == -1
assert text(1) == "1"
assert Made().twice(2) == 4
assert Made().where() == "here"
assert named(2) == "2"
assert gcd(4, 6) == 2
assert floor(1.5) == 1
assert before(1) == 2
assert chosen(3)
assert late(2) == 4
assert surely(0)
assert in_loop(1)

if __name__ == "__main__":
    behind(1)

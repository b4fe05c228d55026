"""Functions in blocks: their slices keep the whole block, and what it reaches."""
import contextlib
import os
import sys

UNUSED = 1
SCALE = 3
OLD = sys.version_info < (3,)

try:
    import nowhere_to_be_found
except ImportError:

    def scaled(x):
        return SCALE * x

else:

    def scaled(x):
        return nowhere_to_be_found.scaled(x)


if OLD:

    def text(x):
        return unicode(x)

else:

    def text(x):
        return str(x)


with contextlib.suppress(ImportError):

    @contextlib.contextmanager
    def inside(x):
        yield text(x)

    import never_to_be_found


class Box:
    if OLD:

        def width(self):
            return unicode(1)

    else:

        def width(self):
            return scaled(2)

    @property
    def depth(self):
        return self.width() + 1


assert scaled(2) == 6
assert text(3) == "3"
assert Box().width() == 6
assert Box().depth == 7

if __name__ == "__main__":
    inside(4)

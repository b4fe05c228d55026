# tests: enum members with values computed in the body, methods, __call__ lookup, _missing_, flags and iteration
import enum


class Shape(enum.Enum):
    SQUARE = (4, "sq")
    TRIANGLE = (3, "tr")

    def __init__(self, corners, short):
        self.corners = corners
        self.short = short

    @property
    def angle(self):
        return 180 - 360 // self.corners

    @classmethod
    def _missing_(cls, value):
        return next((m for m in cls if m.short == value), None)


class Access(enum.Flag):
    READ = 1
    WRITE = 2
    BOTH = READ | WRITE


def main():
    by_short = Shape("tr")
    try:
        Shape("zz")
    except ValueError:
        unknown = True
    allowed = Access.READ | Access.WRITE
    return by_short.name, Shape["SQUARE"].angle, [s.corners for s in Shape], unknown, allowed is Access.BOTH

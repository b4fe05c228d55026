# tests: class patterns by position and keyword, __match_args__, a property read by a pattern, value patterns
# requires: 3.10
import enum


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Shape:
    __match_args__ = ("width", "height")

    def __init__(self, width, height, colour=Colour.RED):
        self.width, self._height, self.colour = width, height, colour

    @property
    def height(self):
        return self._height


def name(thing):
    match thing:
        case Shape(0, _) | Shape(_, 0):
            return "line"
        case Shape(w, h, colour=Colour.BLUE) if w == h:
            return "blue square"
        case Shape(width=w):
            return "wide" if w > 9 else "shape"
        case int(n) | float(n):
            return n
    return "unmatched"


def main():
    things = [Shape(1, 0), Shape(2, 2, Colour.BLUE), Shape(10, 1), Shape(1, 2), 3, 0.5, "x"]
    return [name(t) for t in things]

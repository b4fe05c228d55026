# tests: instances with __slots__ only, inherited slots, an unset slot, and one with __dict__ beside slots


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


class Point3(Point):
    __slots__ = ("z", "__dict__")

    def move(self, dx):
        self.x += dx
        self.y = self.z = self.x
        self.note = "moved %d" % dx
        return self


def main():
    p, q = Point(1), Point3(2)
    try:
        p.y
    except AttributeError as problem:
        unset = type(problem).__name__
    try:
        p.other = 1
    except AttributeError:
        refused = True
    q.move(5)
    del q.z
    return unset, refused, q.x, q.y, hasattr(q, "z"), vars(q)

# tests: properties read, set and deleted inside expressions with operators, one of which raises


class Box:
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side ** 2

    @area.setter
    def area(self, value):
        if value < 0:
            raise ValueError("negative area")
        self.side = int(value ** 0.5)

    @area.deleter
    def area(self):
        self.side = 0


def main():
    box, other = Box(3), Box(4)
    total = box.area + other.area * 2
    box.area += 16
    larger = box.area if box.area > other.area else other.area
    try:
        other.area = box.area - 100
    except ValueError as problem:
        total = (total, str(problem))
    del box.area
    return total, larger, box.side, other.side

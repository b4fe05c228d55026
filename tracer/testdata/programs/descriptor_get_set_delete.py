# tests: a data descriptor runs on read, assignment, augmented assignment and del of an attribute


class Bounded:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return getattr(instance, self.slot, self.low)

    def __set__(self, instance, value):
        setattr(instance, self.slot, max(self.low, min(self.high, value)))

    def __delete__(self, instance):
        delattr(instance, self.slot)


class Dial:
    level = Bounded(1, 10)


def main():
    dial = Dial()
    out = [dial.level]
    dial.level = 50
    dial.level -= 3
    out.append(dial.level)
    del dial.level
    out.append(dial.level)
    return out, Dial.level.high, vars(dial)
